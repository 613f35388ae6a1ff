package gsttrace

// records is how many records of each kind a capture holds.
type records map[string]int64

// truth is what the collection of captures says of each of them; the last line of "truncated" is
// the beginning of one more event.
var truth = map[string]records{
	"all-audio-chain":          {"buffer": 200, "element-latency": 160, "element-query": 5, "element-reported-latency": 10, "event": 596, "factory-used": 7, "latency": 40, "message": 116, "new-element": 7, "new-pad": 10, "proc-rusage": 2118, "query": 128, "thread-rusage": 2118},
	"latency-pipeline-only":    {"latency": 60},
	"latency-tee-queues":       {"element-latency": 1350, "element-reported-latency": 29, "latency": 300},
	"latency-two-sources":      {"element-latency": 608, "latency": 148},
	"stats-mux":                {"buffer": 721, "element-query": 10, "event": 73, "message": 244, "new-element": 13, "new-pad": 22, "query": 268},
	"stats-bins-ghostpads":     {"buffer": 1616, "element-query": 13, "event": 241, "message": 431, "new-element": 15, "new-pad": 34, "query": 414},
	"stats-rusage-pull":        {"buffer": 156, "element-query": 5, "event": 16, "message": 84, "new-element": 5, "new-pad": 6, "proc-rusage": 685, "query": 58, "thread-rusage": 685},
	"rusage-threads":           {"proc-rusage": 2219, "thread-rusage": 2219},
	"factories":                {"factory-used": 11},
	"leaks-found":              {"object-alive": 8},
	"leaks-refs":               {"object-alive": 8, "object-refings": 187},
	"leaks-refs-traces":        {"object-alive": 8, "object-refings": 187},
	"leaks-traces-none":        {"object-alive": 8},
	"leaks-filter":             {"object-alive": 2, "object-refings": 1},
	"leaks-no-leak":            {},
	"leaks-signals":            {"object-added": 18, "object-alive": 36, "object-removed": 18},
	"log-tracer":               {},
	"mixed-debug":              {"buffer": 30, "element-latency": 20, "element-query": 5, "event": 101, "latency": 10, "message": 90, "new-element": 5, "new-pad": 6, "query": 80},
	"odd-names":                {"buffer": 20, "element-latency": 10, "element-query": 5, "event": 64, "latency": 10, "message": 68, "new-element": 4, "new-pad": 4, "query": 48},
	"two-instances":            {"buffer": 40, "element-latency": 10, "element-query": 10, "event": 128, "latency": 10, "message": 136, "new-element": 8, "new-pad": 4, "query": 96},
	"medium-av":                {"buffer": 3000, "element-latency": 2500, "element-query": 18, "event": 8601, "latency": 700, "message": 291, "new-element": 16, "new-pad": 26, "proc-rusage": 24598, "query": 402, "thread-rusage": 24598},
	"stderr-and-stdout":        {"buffer": 30, "element-query": 5, "event": 44, "latency": 15, "message": 68, "new-element": 4, "new-pad": 4, "query": 48},
	"color-all":                {"buffer": 60, "element-latency": 40, "element-query": 5, "element-reported-latency": 6, "event": 181, "latency": 20, "message": 90, "new-element": 5, "new-pad": 6, "proc-rusage": 856, "query": 80, "thread-rusage": 856},
	"color-leaks-debug":        {"object-alive": 2, "object-refings": 1},
	"truncated":                {"buffer": 229, "element-query": 10, "event": 61, "message": 133, "new-element": 13, "new-pad": 22, "query": 266},
	"constructed-1.28-columns": {"element-latency": 608, "latency": 148},
	"constructed-windows":      {"element-latency": 608, "latency": 148},
}
