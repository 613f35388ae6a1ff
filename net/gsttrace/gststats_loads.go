package gsttrace

// The loads in records are in per mille and cut, and that of the process is divided by the number of processors,
// which no record contains. But each record also has the CPU time and the time from which its load was made: since
// the process began. So the load of the process is exact only if a single number of processors leads to the
// recorded loads. The load of a thread covers its own lifetime, as everywhere else: the growth of its clock, and
// nothing of the time before.

// processors narrows the number of processors down.
type processors struct{ least, most uint64 }

// maxLoad is the greatest load of a record: a greater one is cut down to it.
const maxLoad = 1000

// addRecord adds a record: the load in per mille, the CPU time and the time in ns. A record that contradicts those
// before it (times are read one after another, not at once) begins anew.
func (p *processors) addRecord(load, cpuNs, ns uint64) {
	if load == 0 || load >= maxLoad || ns == 0 || cpuNs > never/maxLoad {
		return
	}
	all := cpuNs * maxLoad / ns // as if there were one processor
	least, most := all/(load+1)+1, all/load
	switch {
	case least > most:
	case p.most == 0 || least > p.most || most < p.least:
		p.least, p.most = least, most
	default:
		p.least, p.most = max(p.least, least), min(p.most, most)
	}
}

// load is the load of CPU time in a time, both in ns; false where the number of processors is not
// known, or where a record's own load says otherwise.
func (p *processors) load(told, cpuNs, ns uint64) (load float64, ok bool) {
	if p.most == 0 || p.least != p.most || ns == 0 || cpuNs > never/maxLoad {
		return 0, false
	}
	if told >= maxLoad {
		return 1, true
	}
	return float64(cpuNs) / float64(ns) / float64(p.least), cpuNs*maxLoad/ns/p.least == told
}

// ownLoad is the load of a thread for as long as it lived; false where that is not known. In the
// compatible figures it is that of its last record, which is cut and counts from the beginning of the
// process.
func (t *gststatsThread) ownLoad(compat bool) (load float64, ok bool) {
	switch {
	case compat:
		return float64(t.load) / maxLoad, t.hasLoad
	case t.clock.N < 2 || t.last <= t.first:
		return 0, false
	}
	return float64(t.clock.Took()) / float64(t.last-t.first), true
}

// exactLoad is the load, and whether it is cut: that of the record is, in the compatible figures
// always.
func (t *gststatsThread) exactLoad(among *processors, compat bool) (load float64, cut bool) {
	if load, ok := among.load(t.load, t.cpuNs, t.ts); ok && !compat {
		return load, false
	}
	return float64(t.load) / maxLoad, !compat
}
