package perfetto

// Loss is a loss of the tracing service, in words, and its count.
type Loss struct {
	N     int64
	Words string
}

// losses are fields of the statistics of a buffer (trace_stats.proto).
var losses = []struct {
	num   uint32
	words string
}{
	{3, "pieces of buffers were overwritten by newer ones before the trace was written, says the tracing service"},
	{18, "pieces of buffers were given up because there was no room, says the tracing service"},
	{19, "times a program's own buffer was full and packets were lost, says the tracing service"},
}

// Losses returns the losses of all buffers in the last statistics of the tracing service.
func Losses(stats []byte) (list []Loss) {
	lost := map[uint32]uint64{}
	for w := (Fields{Rest: stats}); w.Next(); {
		if w.Num != 1 || w.Kind != Bytes {
			continue
		}
		for b := (Fields{Rest: w.Data}); b.Next(); {
			lost[b.Num] += b.V
		}
	}
	for _, l := range losses {
		if n := lost[l.num]; n > 0 {
			list = append(list, Loss{int64(min(n, 1<<62)), l.words})
		}
	}
	return list
}
