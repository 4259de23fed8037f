package vrm

// What a file may ask of this machine. The numbers lie well above what the heaviest models in use need (a dressed
// character has 100k vertices, 400 nodes, 60 targets) and keep a hostile file to some hundred megabytes and seconds.
const (
	// maxMemory is what one load may hold at once: the file, what its JSON and accessors unfold to, and its pictures
	// while they are decoded and after that. See budget.
	maxMemory = 512 << 20
	// maxFile bounds the file itself.
	maxFile = maxMemory
	// maxJSON and maxValues bound what encoding/json builds: a value costs up to some valueSize bytes.
	maxJSON   = 64 << 20
	maxValues = 600_000
	valueSize = 250
	// maxDepth bounds nesting; glTF with extensions needs about twelve levels.
	maxDepth = 128

	maxNodes     = 1 << 15
	maxMeshes    = 1 << 14
	maxMaterials = 1 << 12
	maxTargets   = 1 << 10
	// maxVertices and maxIndices count over the whole file, maxInstanced also how often nodes repeat a mesh.
	maxVertices  = 4 << 20
	maxIndices   = 16 << 20
	maxInstanced = 16 << 20
	// maxZeros bounds the bytes that accessors without data of their own unfold to, which a few letters of text can ask
	// for; read twice counts twice, as it does for those with data.
	maxZeros = 192 << 20

	// maxImageSide and maxImagePixels are read from an image's header before it is decoded; maxAllPixels counts
	// over the file, for the time that decoding takes. Formats that decode to more than four bytes a pixel may have half
	// as many.
	maxImageSide   = 8192
	maxImagePixels = 8192 * 8192
	maxAllPixels   = 4 * maxImagePixels
	// keptSide and keptPixels bound the textures that stay in memory: a pet is drawn some hundred pixels wide, so
	// a larger texture is halved until it fits, which costs no visible detail.
	keptSide   = 2048
	keptPixels = 32 << 20

	// maxSpringColliders bounds the expanded collider lists of all springs together.
	maxSpringColliders = 1 << 16
	// What a frame may cost: pairs of spring joint and collider, nodes that swing, parts that are shown (each primitive
	// counts at each node), and how often all faces together would cover the square over the model's longest way.
	maxSpringMeetings = 100_000
	maxSwinging       = 1 << 12
	maxParts          = 2000
	maxCover          = 256

	maxConstraints = 1 << 9
	// maxBinds bounds the binds of all expressions together: in 0.x one line of text binds every node of a mesh.
	maxBinds = 1 << 16

	// maxLength is the coordinate (metres) beyond which a number is taken for damage.
	maxLength = 1e6
	// maxSeconds is the longest animation.
	maxSeconds = 6 * 3600
	// maxKeys bounds the key values of one animation.
	maxKeys = 16 << 20

	// maxText bounds each string that is shown to people, maxName each name of a part.
	maxText = 4096
	maxName = 256
	// maxWarnings keeps a damaged file from filling the log.
	maxWarnings = 40
)
