package journal

// Copy takes a record of another session with the time that it has there, for a copy that goes on
// as the other does. It returns false when it was refused.
func (w *Writer) Copy(rec Record) bool {
	return w.appendAt(rec.Time, rec.Kind, string(rec.Key), rec.Payload)
}

// Mark appends an empty record that marks a place. Code that copies a running session copies up to it.
// Mark returns false if the record was refused.
func (w *Writer) Mark(id []byte) bool { return w.append(KindMark, "", id) }
