package planted

// The names of parts of games. Many are in several pools: Update is in App, in Cull and in Jobs.
var (
	appNames = []string{
		"Update", "Physics", "AI", "Animation", "Scripts", "Particles", "Audio mix", "Network", "Input", "Tasks", "Events",
		"Collisions", "Show code", "UI", "Level", "Sense", "Navigation", "Cloth", "Transform",
	}
	cullNames = []string{"Update", "Setup", "Visit", "Sort", "Shadows", "Bounds", "Transform", "Occlusion", "Lights"}
	drawNames = []string{
		"Set State", "Primitive", "Opaque", "Transparent", "Shadows", "Clear", "Bind FBO", "Transfer data", "Update", "Sort",
		"Particles", "UI", "Flush", "Make current", "Munge", "Lights", "Post",
	}
	gpuNames = []string{
		"Shadows", "Opaque", "Transparent", "Post", "Bloom", "UI", "Particles", "Lights", "Clear", "Tone map", "SSAO",
	}
	jobNames = []string{
		"Animation", "Particles", "Physics", "Cloth", "Path finding", "Occlusion", "Update", "Skinning", "Transform",
	}
	newNames = []string{
		"Compile shader", "Load texture", "Autosave", "Rebuild navmesh", "Defragment", "Spawn wave", "Load sound",
		"Parse script",
		"Reload", "Upload mesh", "Resize buffers", "Rehash", "Update cache", "Link program", "Decode image", "Level setup",
		"Generate mipmaps", "Take screenshot", "Set State cache", "Physics rebuild",
	}
)

// stranger is a kind of thread that works for itself. It rests between two jobs for so many frames.
type stranger struct {
	name  string
	root  []string
	names []string
	rest  float64
}

var strangers = [...]stranger{
	{"Loader", []string{"IO", "Load", "Load"}, []string{"Read", "Inflate", "Upload", "Parse", "Update", "Decode"}, 0.1},
	{"Audio", []string{"Audio"}, []string{"Mix", "Decode", "Update", "Spatialize", "Write"}, 0.5},
	{"Network", []string{"Net"}, []string{"Receive", "Send", "Compress", "Update", "Parse"}, 1.5},
	{"AI", []string{"AI", "Navigation"}, []string{"Think", "Path finding", "Sense", "Update", "Plan"}, 0.02},
	{"Streaming", []string{"Stream", "IO"}, []string{"Read", "Decompress", "Insert", "Evict", "Update"}, 0.05},
	{"GC thread", []string{"Runtime"}, []string{"Finalize", "Trace", "Poll", "Compact"}, 3},
	{"Telemetry", []string{"Log"}, []string{"Format", "Write", "Compress"}, 2},
}
