package app

import "syscall/js"

// reduced asks the browser.
func reduced() bool {
	match := js.Global().Get("matchMedia")
	return match.Type() == js.TypeFunction && match.Invoke("(prefers-reduced-motion: reduce)").Get("matches").Truthy()
}
