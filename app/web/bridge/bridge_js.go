package bridge

import (
	"errors"
	"syscall/js"
)

// page is the object of page.js.
func page() js.Value { return js.Global().Get("framescopePage") }

// Call calls a function of the page.
func Call(name string, args ...any) js.Value { return page().Call(name, args...) }

// Await calls a function of the page that answers later. It must not be called from a callback of the page.
func Await(name string, args ...any) (js.Value, error) { return Wait(Call(name, args...)) }

// Wait waits for a promise.
func Wait(promise js.Value) (answer js.Value, err error) {
	done := make(chan struct{})
	finish := func(take func(v js.Value)) js.Func {
		return js.FuncOf(func(_ js.Value, args []js.Value) any {
			if len(args) > 0 {
				take(args[0])
			}
			close(done)
			return nil
		})
	}
	use := finish(func(v js.Value) { answer = v })
	fail := finish(func(v js.Value) { err = errors.New(js.Global().Get("String").Invoke(v).String()) })
	defer use.Release()
	defer fail.Release()
	promise.Call("then", use, fail)
	<-done
	return answer, err
}

// Strings returns the texts of an array.
func Strings(list js.Value) (texts []string) {
	for i := range list.Length() {
		texts = append(texts, list.Index(i).String())
	}
	return texts
}

// Ready tells the page that the first picture is there, and calls show with each recording that is opened from now on.
func Ready(show func(link string)) {
	Call("ready", js.FuncOf(func(_ js.Value, args []js.Value) any {
		show(args[0].String())
		return nil
	}))
}

// Has reports whether the page has a function of a name.
func Has(name string) bool { return page().Get(name).Type() == js.TypeFunction }
