package panel

// Keyed is a panel that takes keys while it was pressed in last.
type Keyed interface {
	// Key takes a key that was struck without Ctrl, Shift and Alt, by the name that it has in the
	// table of commands, in lower case; false when it is none of the panel's.
	Key(env *Env, key string) (Action, bool)
}

// Copier is a panel that returns the hovered item as text.
type Copier interface {
	// Copy returns the text; ok is false where nothing is.
	Copy(env *Env) (text string, ok bool)
}
