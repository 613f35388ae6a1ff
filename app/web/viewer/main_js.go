package main

import (
	"encoding/json"
	"fmt"
	"os"

	"framescope/app"
	"framescope/app/launch"
	"framescope/app/sessions"
	"framescope/app/web/bridge"
)

func main() {
	o := app.Options{Options: sessions.Options{Page: true, Files: bridge.Strings(bridge.Call("first"))}}
	if bridge.Call("live").Bool() {
		known, err := o.Sources.Registry()
		if err != nil {
			panic(err) // the empty options are valid
		}
		o.Inputs = []launch.Input{launch.File{Path: "-", Registry: known}}
	}
	if bridge.Has("observe") { // a test looks
		o.Observe = func(seen app.Observed) {
			if text, err := json.Marshal(seen); err == nil {
				bridge.Call("observe", string(text))
			}
		}
	}
	if err := app.Run(o); err != nil {
		fmt.Fprintln(os.Stderr, "framescope:", err)
	}
}
