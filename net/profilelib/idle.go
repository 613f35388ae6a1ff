package profilelib

// sureIdles is how many idle moments in a row prove the end of a flush.
const sureIdles = 4

// Idle notes that nothing came for longer than it takes to write a flush. After a few such moments the decoder shows
// all complete trees: the flush that they are of is over.
func (d *Decoder) Idle() {
	if d.closed || d.cancelled || d.err != nil {
		return
	}
	d.idles++
	if d.frm == nil {
		if d.idles < holdIdles || len(d.hold) == 0 || !d.prepare(nil, false) && d.survey.frm == nil {
			return
		}
		d.release()
	}
	d.jumps.Settle()
	if !d.opt.File && d.idles >= sureIdles && d.walk.whole() && !d.holding {
		d.finishMessage()
		d.commitAll()
	}
	d.report()
}
