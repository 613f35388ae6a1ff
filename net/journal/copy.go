package journal

// Mark appends an empty record that marks a place. Code that copies a running session copies up to it.
// Mark returns false if the record was refused.
func (w *Writer) Mark(id []byte) bool { return w.append(KindMark, "", id) }
