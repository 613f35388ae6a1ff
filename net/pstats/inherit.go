package pstats

// Inherit returns the events of the first frame of a part of a session, without the earlier frames:
// those of the frame, and before them starts of the collectors that ran already, the outermost first,
// at the frame's first time. By PROTOCOL.md section 16.1, starts before that of the frame itself
// (collector 0) ran before it. Where all of them stop in the frame this is not needed: the stops imply
// it. A frame that does not begin with its own start stays as it is, and so does one with such starts
// already.
func Inherit(f *Frame, running []uint16) []Event {
	if len(f.Events) == 0 || f.Events[0].Word != 0 || !outlast(f.Events, running) {
		return f.Events
	}
	events := make([]Event, 0, len(running)+len(f.Events))
	for _, c := range running {
		events = append(events, Event{Word: c, Time: f.Events[0].Time})
	}
	return append(events, f.Events...)
}

// outlast reports whether any collector that ran before the events of a frame still runs behind them.
func outlast(events []Event, running []uint16) bool {
	if len(running) == 0 {
		return false
	}
	stops, depth := map[uint16]int{}, map[uint16]int{}
	for _, e := range events {
		switch c := e.Word &^ StopBit; {
		case e.Word&StopBit == 0:
			depth[c]++
		case depth[c] > 0:
			depth[c]--
		default:
			stops[c]++
		}
	}
	for _, c := range running {
		if stops[c]--; stops[c] < 0 {
			return true
		}
	}
	return false
}
