package frametimes

import (
	"fmt"
	"strings"
	"testing"

	"framescope/net/feed/feedtest"
)

// BenchmarkOpen reads tables of 100,000 frames: the file alone, and into a session.
func BenchmarkOpen(b *testing.B) {
	const rows = 100_000
	var pm, hud strings.Builder
	pm.WriteString("Application,ProcessID,SwapChainAddress,PresentRuntime,SyncInterval,PresentFlags,AllowsTearing,PresentMode,FrameType," +
		"CPUStartTime,FrameTime,CPUBusy,CPUWait,GPULatency,GPUTime,GPUBusy,GPUWait,VideoBusy,DisplayLatency,DisplayedTime,AnimationError,ClickToPhotonLatency\n")
	hud.WriteString("fps,frametime,cpu_load,gpu_load,cpu_temp,gpu_temp,gpu_core_clock,gpu_mem_clock,gpu_vram_used,gpu_power,ram_used,elapsed\n")
	for i := range rows {
		fmt.Fprintf(&pm, "game.exe,4321,0x1E5A0,DXGI,0,512,1,Hardware: Independent Flip,Application,%.4f,6.9444,5.%04d,1.0000,0.8529,"+
			"5.5144,5.0752,0.4392,0.0000,32.7296,6.9440,%.4f,NA\n", float64(i)*6.9444, i%10000, float64(i%7)-3)
		fmt.Fprintf(&hud, "144.0012,6.9444,%d,97,61,70,1800,1000,3.1,120.5,9.13,%d\n", i%100, int64(i+1)*6944400)
	}
	feedtest.BenchOpen(b, Source{}, "presentmon.csv", pm.String())
	feedtest.BenchOpen(b, Source{}, "mangohud.csv", hud.String())
}
