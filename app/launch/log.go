package launch

// Log takes lines for the user; nil drops them.
type Log func(line string)

func (l Log) line(text string) {
	if l != nil {
		l(text)
	}
}
