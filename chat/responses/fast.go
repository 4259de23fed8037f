package responses

import "yui/chat/internal/scan"

// textDelta is the common event: a piece of text of a message.
type textDelta struct {
	delta  string
	index  int    // -1 where there is none
	itemID []byte // as it stands in the event
}

// readTextDelta reads the common event without encoding/json, which takes an order of magnitude longer. It gives false
// for anything else, bad JSON included.
func readTextDelta(raw []byte) (textDelta, bool) {
	d := textDelta{index: -1}
	s := scan.New(raw)
	var kind, delta, index, item int
	s.Object(func(key []byte) {
		switch string(key) {
		case "type":
			kind++
			if string(s.Text()) != "response.output_text.delta" {
				s.Fail()
			}
		case "delta":
			delta++
			d.delta = s.Decode()
		case "output_index":
			index++
			d.index = s.Small()
		case "item_id":
			item++
			d.itemID = s.Plain()
		case "sequence_number", "content_index", "logprobs", "obfuscation", "event_id", "response_id":
			s.Skip()
		default:
			s.Fail()
		}
	})
	return d, s.Good() && kind == 1 && delta == 1 && index <= 1 && item <= 1
}
