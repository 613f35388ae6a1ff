package workspace

import (
	"fmt"

	"framescope/app/web/bridge"
)

func clipboard(text string) error {
	if _, err := bridge.Await("copy", text); err != nil {
		return fmt.Errorf("nothing was copied: the browser refuses it: %w", err)
	}
	return nil
}

// pasted returns the browser's clipboard; ok is false if it may not be read.
func pasted() (text string, ok bool) {
	answer, err := bridge.Await("paste")
	if err != nil {
		return "", false
	}
	return answer.String(), true
}
