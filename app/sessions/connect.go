package sessions

import (
	"framescope/app/input"
	"framescope/app/launch"
	"framescope/widgets"
)

// connectCommands are a command for each kind of programs to which one connects.
func (ss *Sessions) connectCommands(group string) (out []input.Command) {
	for _, server := range launch.Servers() {
		out = append(out, input.Command{ID: "connect." + server.Kind, Name: server.Title + "…", Words: server.Kind,
			Group: group, Run: func() { ss.askServer(server) }, Out: true})
	}
	return out
}

// askServer asks for the address of a program to connect to.
func (ss *Sessions) askServer(server launch.Server) {
	connect := func(text string) string { return ss.connect(server, text) }
	p := &widgets.Palette{Name: server.Title, Does: "Connect", Answer: connect}
	p.Field.Hint = server.Hint
	last, known := server.Addr, ss.settings.Addresses(server.Kind)
	if len(known) > 0 {
		last = known[0]
	}
	p.Field.SetText(last)
	for _, addr := range known {
		p.Items = append(p.Items, widgets.PaletteItem{Name: addr, Run: func() { connect(addr) }})
	}
	if len(p.Items) > 0 {
		p.Items[0].Key = "the last one"
	}
	ss.ask.Ask(p, 480)
}

// connect connects to the program at an address that the user typed; it returns a complaint about the
// address.
func (ss *Sessions) connect(server launch.Server, text string) (complaint string) {
	addr, err := server.Complete(text)
	if err != nil {
		return err.Error()
	}
	ss.settings.RememberAddress(server.Kind, addr)
	ss.ask.Notify("Connecting to %s", addr)
	ss.bringIn(shown{server.New(addr, ss.sources.logLine, false), ss})
	return ""
}
