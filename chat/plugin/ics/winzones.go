package ics

// windowsZones are the zone names that Outlook and Exchange write, each with the zone of its most populous place
// (Unicode CLDR, windowsZones).
var windowsZones = map[string]string{
	"UTC": "Etc/UTC", "Coordinated Universal Time": "Etc/UTC", "GMT Standard Time": "Europe/London", "Greenwich Standard Time": "Atlantic/Reykjavik",
	"W. Europe Standard Time": "Europe/Berlin", "Central Europe Standard Time": "Europe/Budapest", "Romance Standard Time": "Europe/Paris",
	"Central European Standard Time": "Europe/Warsaw", "W. Central Africa Standard Time": "Africa/Lagos", "Morocco Standard Time": "Africa/Casablanca",
	"GTB Standard Time": "Europe/Bucharest", "E. Europe Standard Time": "Europe/Chisinau", "FLE Standard Time": "Europe/Kiev",
	"Middle East Standard Time": "Asia/Beirut", "Egypt Standard Time": "Africa/Cairo", "South Africa Standard Time": "Africa/Johannesburg",
	"Israel Standard Time": "Asia/Jerusalem", "Jordan Standard Time": "Asia/Amman", "Turkey Standard Time": "Europe/Istanbul",
	"Arabic Standard Time": "Asia/Baghdad", "Arab Standard Time": "Asia/Riyadh", "E. Africa Standard Time": "Africa/Nairobi",
	"Russian Standard Time": "Europe/Moscow", "Belarus Standard Time": "Europe/Minsk", "Iran Standard Time": "Asia/Tehran",
	"Arabian Standard Time": "Asia/Dubai", "Azerbaijan Standard Time": "Asia/Baku", "Georgian Standard Time": "Asia/Tbilisi",
	"Caucasus Standard Time": "Asia/Yerevan", "Afghanistan Standard Time": "Asia/Kabul", "West Asia Standard Time": "Asia/Tashkent",
	"Ekaterinburg Standard Time": "Asia/Yekaterinburg", "Pakistan Standard Time": "Asia/Karachi", "India Standard Time": "Asia/Calcutta",
	"Sri Lanka Standard Time": "Asia/Colombo", "Nepal Standard Time": "Asia/Katmandu", "Central Asia Standard Time": "Asia/Bishkek",
	"Bangladesh Standard Time": "Asia/Dhaka", "Myanmar Standard Time": "Asia/Rangoon", "SE Asia Standard Time": "Asia/Bangkok",
	"China Standard Time": "Asia/Shanghai", "Singapore Standard Time": "Asia/Singapore", "W. Australia Standard Time": "Australia/Perth",
	"Taipei Standard Time": "Asia/Taipei", "Tokyo Standard Time": "Asia/Tokyo", "Korea Standard Time": "Asia/Seoul",
	"Cen. Australia Standard Time": "Australia/Adelaide", "AUS Central Standard Time": "Australia/Darwin", "E. Australia Standard Time": "Australia/Brisbane",
	"AUS Eastern Standard Time": "Australia/Sydney", "Tasmania Standard Time": "Australia/Hobart", "Vladivostok Standard Time": "Asia/Vladivostok",
	"New Zealand Standard Time": "Pacific/Auckland", "Fiji Standard Time": "Pacific/Fiji", "Hawaiian Standard Time": "Pacific/Honolulu",
	"Alaskan Standard Time": "America/Anchorage", "Pacific Standard Time": "America/Los_Angeles", "Pacific Standard Time (Mexico)": "America/Tijuana",
	"US Mountain Standard Time": "America/Phoenix", "Mountain Standard Time": "America/Denver", "Mountain Standard Time (Mexico)": "America/Mazatlan",
	"Central America Standard Time": "America/Guatemala", "Central Standard Time": "America/Chicago", "Central Standard Time (Mexico)": "America/Mexico_City",
	"Canada Central Standard Time": "America/Regina", "SA Pacific Standard Time": "America/Bogota", "Eastern Standard Time": "America/New_York",
	"Eastern Standard Time (Mexico)": "America/Cancun", "US Eastern Standard Time": "America/Indianapolis", "Venezuela Standard Time": "America/Caracas",
	"Paraguay Standard Time": "America/Asuncion", "Atlantic Standard Time": "America/Halifax", "SA Western Standard Time": "America/La_Paz",
	"Pacific SA Standard Time": "America/Santiago", "Newfoundland Standard Time": "America/St_Johns", "E. South America Standard Time": "America/Sao_Paulo",
	"Argentina Standard Time": "America/Buenos_Aires", "SA Eastern Standard Time": "America/Cayenne", "Greenland Standard Time": "America/Godthab",
	"Montevideo Standard Time": "America/Montevideo", "Azores Standard Time": "Atlantic/Azores", "Cape Verde Standard Time": "Atlantic/Cape_Verde",
}
