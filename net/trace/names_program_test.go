package trace

import (
	"testing"

	"framescope/internal/testkit"
)

func TestProgram(t *testing.T) {
	for name, want := range map[string]string{
		"Renderer": "Renderer", "": "", "Service: network.mojom.NetworkService": "Service: network.mojom.NetworkService",
		"/usr/lib/chromium/chromium --type=renderer --enable-crash-reporter=,built on": "chromium renderer",
		"chromium --headless --type=gpu-process":                                       "chromium gpu-process", "/usr/bin/game": "game", "/": "/",
		"/opt/My Game/game -fullscreen": "game", "/usr/bin/python3 /opt/tool.py": "python3",
		`"C:\Program Files\App\app.exe" --type=utility`: "app.exe utility", `C:\Games\g.exe`: "g.exe", "Game, The.exe": "Game, The.exe",
		"com.example.app:remote": "com.example.app:remote", "kworker/0:1": "kworker/0:1",
	} {
		testkit.Equal(t, Program(name), want, "%q", name)
	}
}
