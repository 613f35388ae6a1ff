package journal

// Size returns the session's present size on disk in bytes, including segments that left after they
// were read.
func (r *Reader) Size() int64 {
	if !r.dir {
		st, err := r.fs.Stat(r.path)
		if err != nil {
			return 0
		}
		return st.Size()
	}
	total := r.before
	list, _ := listSegments(r.fs, r.path)
	for _, s := range list {
		if s.number == r.seg.number || s.number > r.last {
			total += s.size
		}
	}
	return total
}

// Done returns how many of these bytes have been read.
func (r *Reader) Done() int64 { return r.before + r.off + int64(r.at) }
