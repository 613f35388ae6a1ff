package client

// preset is the official client's table entry for a collector by its full name (VIEWER.md section 16).
// Scale and factor 0, and units with inherit set, are taken from the parent.
type preset struct {
	sort    int16
	r, g, b float32 // linear
	units   string
	inherit bool // units come from the parent
	scale   float32
	factor  float64
}

// mib is the factor that turns bytes into megabytes as the official client does.
const mib = 1.0 / (1 << 20)

// presetOf finds the preset of a full name; times come before levels and the first match wins, as
// in the official client.
func presetOf(fullName string) (preset, bool) {
	switch fullName {
	case "Frame":
		return preset{0, 0.95, 1, 0.35, "", true, 0, 0}, true
	case "Wait":
		return preset{1, 0.6, 0.6, 0.6, "", true, 0, 0}, true
	case "Wait:Mutex block":
		return preset{2, 0.5, 0, 1, "", true, 0, 0}, true
	case "Wait:Thread sync":
		return preset{3, 0, 1, 0.5, "", true, 0, 0}, true
	case "Wait:Clock Wait":
		return preset{4, 0.2, 0.8, 0.2, "", true, 0, 0}, true
	case "Wait:Clock Wait:Sleep":
		return preset{5, 0.9, 0.4, 0.8, "", true, 0, 0}, true
	case "Wait:Clock Wait:Spin":
		return preset{6, 0.2, 0.8, 1, "", true, 0, 0}, true
	case "Wait:Flip":
		return preset{7, 1, 0.6, 0.3, "", true, 0, 0}, true
	case "Wait:Flip:Begin":
		return preset{8, 0.3, 0.3, 0.9, "", true, 0, 0}, true
	case "Wait:Flip:End":
		return preset{9, 0.9, 0.3, 0.6, "", true, 0, 0}, true
	case "App":
		return preset{10, 0, 0.4, 0.8, "", true, 1.0 / 30, 0}, true
	case "App:Collisions":
		return preset{11, 1, 0.5, 0, "", true, 0, 0}, true
	case "App:Collisions:Reset":
		return preset{12, 0, 0, 0.5, "", true, 0, 0}, true
	case "App:Data graph":
		return preset{13, 0.5, 0.8, 0.4, "", true, 0, 0}, true
	case "App:Tasks":
		return preset{14, 0.8, 0.2, 1, "", true, 0, 0}, true
	case "Cull":
		return preset{15, 0.21, 0.68, 0.37, "", true, 1.0 / 30, 0}, true
	case "Cull:Setup":
		return preset{16, 0.7, 0.4, 0.5, "", true, 0, 0}, true
	case "Cull:Sort":
		return preset{17, 0.3, 0.3, 0.6, "", true, 0, 0}, true
	case "*":
		return preset{18, 0.1, 0.1, 0.5, "", true, 0, 0}, true
	case "*:Show fps":
		return preset{19, 0.5, 0.8, 1, "", true, 0, 0}, true
	case "*:Munge":
		return preset{20, 0.3, 0.3, 0.9, "", true, 0, 0}, true
	case "*:Munge:Geom":
		return preset{21, 0.4, 0.2, 0.8, "", true, 0, 0}, true
	case "*:Munge:Sprites":
		return preset{22, 0.2, 0.8, 0.4, "", true, 0, 0}, true
	case "*:Munge:Data":
		return preset{23, 0.7, 0.5, 0.2, "", true, 0, 0}, true
	case "*:Munge:Rotate":
		return preset{24, 0.9, 0.8, 0.5, "", true, 0, 0}, true
	case "*:Munge:Decompose":
		return preset{25, 0.1, 0.3, 0.1, "", true, 0, 0}, true
	case "*:PStats":
		return preset{26, 0.4, 0.8, 1, "", true, 0, 0}, true
	case "*:Animation":
		return preset{27, 1, 0, 1, "", true, 0, 0}, true
	case "*:Flatten":
		return preset{28, 0, 0.7, 0.4, "", true, 0, 0}, true
	case "*:State Cache":
		return preset{29, 0.4, 0.7, 0.7, "", true, 0, 0}, true
	case "*:NodePath":
		return preset{30, 0.1, 0.6, 0.8, "", true, 0, 0}, true
	case "Draw":
		return preset{31, 0.83, 0.02, 0.01, "", true, 1.0 / 30, 0}, true
	case "Draw:Make current":
		return preset{32, 0.4, 0.2, 0.6, "", true, 0, 0}, true
	case "Draw:Copy texture":
		return preset{33, 0.2, 0.6, 0.4, "", true, 0, 0}, true
	case "Draw:Transfer data":
		return preset{34, 0.8, 0, 0.6, "", true, 0, 0}, true
	case "Draw:Transfer data:Vertex buffer":
		return preset{35, 0, 0.1, 0.9, "", true, 0, 0}, true
	case "Draw:Transfer data:Index buffer":
		return preset{36, 0.1, 0.9, 0, "", true, 0, 0}, true
	case "Draw:Transfer data:Texture":
		return preset{37, 0.9, 0, 0.1, "", true, 0, 0}, true
	case "Draw:Transfer data:Display lists":
		return preset{38, 0.5, 0, 0.9, "", true, 0, 0}, true
	case "Draw:Clear":
		return preset{39, 0, 0.8, 0.6, "", true, 0, 0}, true
	case "Draw:Flush":
		return preset{40, 0.9, 0.2, 0.7, "", true, 0, 0}, true
	case "Draw:Sync":
		return preset{41, 0.5, 0.7, 0.7, "", true, 0, 0}, true
	case "Draw:Transform":
		return preset{42, 0, 0.5, 0, "", true, 0, 0}, true
	case "Draw:Primitive":
		return preset{43, 0, 0, 0.5, "", true, 0, 0}, true
	case "Draw:Set State":
		return preset{44, 0.2, 0.6, 0.8, "", true, 0, 0}, true
	case "Draw:Wait occlusion":
		return preset{45, 1, 0.5, 0, "", true, 0, 0}, true
	case "Draw:Bind FBO":
		return preset{46, 0, 0.8, 0.8, "", true, 0, 0}, true
	case "Graphics memory":
		return preset{0, 0, 0, 1, "MB", false, 64, mib}, true
	case "Buffer switch":
		return preset{1, 0, 0.6, 0.8, "", false, 500, 0}, true
	case "Buffer switch:Vertex":
		return preset{2, 0.8, 0, 0.6, "", true, 0, 0}, true
	case "Buffer switch:Index":
		return preset{3, 0.8, 0.6, 0.3, "", true, 0, 0}, true
	case "Geom cache size":
		return preset{4, 0.6, 0.8, 0.6, "", false, 500, 0}, true
	case "Geom cache size:Active":
		return preset{5, 0.9, 1, 0.3, "", false, 500, 0}, true
	case "Geom cache operations":
		return preset{6, 1, 0.6, 0.6, "", false, 500, 0}, true
	case "Geom cache operations:record":
		return preset{7, 0.2, 0.4, 0.8, "", true, 0, 0}, true
	case "Geom cache operations:erase":
		return preset{8, 0.4, 0.8, 0.2, "", true, 0, 0}, true
	case "Geom cache operations:evict":
		return preset{9, 0.8, 0.2, 0.4, "", true, 0, 0}, true
	case "Data transferred":
		return preset{10, 0, 0.2, 0.4, "MB", false, 12, mib}, true
	case "Primitive batches":
		return preset{11, 0.2, 0.5, 0.9, "", false, 500, 0}, true
	case "Primitive batches:Other":
		return preset{12, 0.2, 0.2, 0.2, "", true, 0, 0}, true
	case "Primitive batches:Triangles":
		return preset{13, 0.8, 0.8, 0.8, "", true, 0, 0}, true
	case "Primitive batches:Triangle fans":
		return preset{14, 0.8, 0.5, 0.2, "", true, 0, 0}, true
	case "Primitive batches:Triangle strips":
		return preset{15, 0.2, 0.5, 0.8, "", true, 0, 0}, true
	case "Primitive batches:Display lists":
		return preset{16, 0.8, 0.5, 1, "", true, 0, 0}, true
	case "SW Sprites":
		return preset{17, 0.2, 0.7, 0.3, "K", false, 10, 1.0 / 1000}, true
	case "Vertices":
		return preset{18, 0.5, 0.2, 0, "K", false, 10, 1.0 / 1000}, true
	case "Vertices:Other":
		return preset{19, 0.2, 0.2, 0.2, "", true, 0, 0}, true
	case "Vertices:Triangles":
		return preset{20, 0.8, 0.8, 0.8, "", true, 0, 0}, true
	case "Vertices:Triangle fans":
		return preset{21, 0.8, 0.5, 0.2, "", true, 0, 0}, true
	case "Vertices:Triangle strips":
		return preset{22, 0.2, 0.5, 0.8, "", true, 0, 0}, true
	case "Vertices:Indexed triangle strips":
		return preset{23, 0.5, 0.2, 0.8, "", true, 0, 0}, true
	case "Vertices:Display lists":
		return preset{24, 0.8, 0.5, 1, "", true, 0, 0}, true
	case "Vertices:Immediate mode":
		return preset{25, 1, 0.5, 0, "", true, 0, 0}, true
	case "Pixels":
		return preset{26, 0.8, 0.3, 0.7, "M", false, 5, 1.0 / 1000000}, true
	case "Nodes":
		return preset{27, 0.4, 0.2, 0.8, "", false, 500.0, 0}, true
	case "Nodes:GeomNodes":
		return preset{28, 0.8, 0.2, 0, "", true, 0, 0}, true
	case "Geoms":
		return preset{29, 0.4, 0.8, 0.3, "", false, 500.0, 0}, true
	case "Cull volumes":
		return preset{30, 0.7, 0.6, 0.9, "", false, 500.0, 0}, true
	case "Cull volumes:Transforms":
		return preset{31, 0.9, 0.6, 0, "", true, 0, 0}, true
	case "State changes":
		return preset{32, 1, 0.5, 0.2, "", false, 500.0, 0}, true
	case "State changes:Other":
		return preset{33, 0.2, 0.2, 0.2, "", true, 0, 0}, true
	case "State changes:Transforms":
		return preset{34, 0.2, 0.2, 0.8, "", true, 0, 0}, true
	case "State changes:Textures":
		return preset{35, 0.8, 0.2, 0.2, "", true, 0, 0}, true
	case "Occlusion tests":
		return preset{36, 0.9, 0.8, 0.3, "", false, 500.0, 0}, true
	case "Occlusion results":
		return preset{37, 0.3, 0.9, 0.8, "", false, 500.0, 0}, true
	case "System memory":
		return preset{38, 0.5, 1, 0.5, "MB", false, 64, mib}, true
	case "System memory:Heap":
		return preset{39, 0.2, 0.2, 1, "", true, 0, 0}, true
	case "System memory:Heap:Overhead":
		return preset{40, 0.3, 0.4, 0.6, "", true, 0, 0}, true
	case "System memory:Heap:Single":
		return preset{41, 0.8, 0.3, 0.3, "", true, 0, 0}, true
	case "System memory:Heap:Array":
		return preset{42, 0.1, 0.3, 1, "", true, 0, 0}, true
	case "System memory:Heap:External":
		return preset{44, 0.2, 0.2, 0.5, "", true, 0, 0}, true
	case "System memory:MMap":
		return preset{45, 0.9, 0.4, 0.7, "", true, 0, 0}, true
	case "Vertex Data":
		return preset{46, 1, 0.4, 0, "MB", false, 64, mib}, true
	case "Vertex Data:Independent":
		return preset{47, 0.9, 0.1, 0.9, "", true, 0, 0}, true
	case "Vertex Data:Small":
		return preset{48, 0.2, 0.3, 0.4, "", true, 0, 0}, true
	case "Vertex Data:Pending":
		return preset{49, 0.6, 0.8, 1, "", true, 0, 0}, true
	case "Vertex Data:Resident":
		return preset{50, 0.9, 1, 0.7, "", true, 0, 0}, true
	case "Vertex Data:Compressed":
		return preset{51, 0.5, 0.1, 0.4, "", true, 0, 0}, true
	case "Vertex Data:Disk":
		return preset{52, 0.6, 0.9, 0.1, "", true, 0, 0}, true
	case "Vertex Data:Disk:Unused":
		return preset{53, 0.8, 0.4, 0.5, "", true, 0, 0}, true
	case "Vertex Data:Disk:Used":
		return preset{54, 0.2, 0.1, 0.6, "", true, 0, 0}, true
	case "TransformStates":
		return preset{55, 1, 0.5, 0.5, "", false, 5000, 0}, true
	case "TransformStates:On nodes":
		return preset{56, 0.2, 0.8, 1, "", true, 0, 0}, true
	case "TransformStates:Cached":
		return preset{57, 1, 0, 0.2, "", true, 0, 0}, true
	case "TransformStates:Unused":
		return preset{58, 0.2, 0.2, 0.2, "", true, 0, 0}, true
	case "RenderStates":
		return preset{59, 0.5, 0.5, 1, "", false, 1000, 0}, true
	case "RenderStates:On nodes":
		return preset{60, 0.2, 0.8, 1, "", true, 0, 0}, true
	case "RenderStates:Cached":
		return preset{61, 1, 0, 0.2, "", true, 0, 0}, true
	case "RenderStates:Unused":
		return preset{62, 0.2, 0.2, 0.2, "", true, 0, 0}, true
	case "PipelineCyclers":
		return preset{63, 0.5, 0.5, 1, "", false, 50000, 0}, true
	case "PipelineCyclers:Dirty":
		return preset{64, 0.2, 0.2, 0.2, "", false, 5000, 0}, true
	case "Collision Volumes":
		return preset{65, 1, 0.8, 0.5, "", false, 500, 0}, true
	case "Collision Tests":
		return preset{66, 0.5, 0.8, 1, "", false, 100, 0}, true
	case "window1 latency":
		return preset{67, 0.8, 0.2, 0, "ms", false, 10, 1000}, true
	}
	return preset{}, false
}
