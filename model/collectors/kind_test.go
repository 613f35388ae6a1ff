package collectors

import (
	"testing"

	"framescope/internal/testkit"
)

func TestWhatWaitsIsToldByItsName(t *testing.T) {
	for _, c := range []struct {
		group, name string
		want        bool
	}{
		{"", "Wait", true},
		{"Draw", "Wait occlusion", true},
		{"App", "WaitForGPU", true},
		{"App", "wait_for_frame", true},
		{"App", "Lock wait", true},
		{"Render", "gpu_wait", true},
		{"", "Semaphore.WaitForSignal", true},
		{"App", "Doorwait", false},
		{"Thread", "Thread sync", true},
		{"App", "Idle", true},
		{"", "(idle)", true},
		{"", "Sleep(16)", true},
		{"java.lang", "Object.wait(long)", true},
		{"java.lang", "Object.wait0(long)", true},
		{"java.lang", "Thread.sleep(long)", true},
		{"jdk.internal.misc", "Unsafe.park(boolean, long)", true},
		{"java.util.concurrent.locks", "LockSupport.parkNanos(Object, long)", true},
		{"sun.nio.ch", "EPoll.wait(int, long, int, int)", true},
		{"element-latency", "queue0.src", true},
		{"element-latency", "0x564319878170.queue0.src", true},
		{"element-latency", "multiqueue1.src_0", true},
		{"element-latency", "queue_rec.src", true},

		{"AI", "Waiter AI", false},
		{"Animation", "Idle animation", false},
		{"App", "SleepManager", false},
		{"App", "App", false},
		{"", "", false},
		{"shop.order", "Waiting.run()", false},
		{"shop.order", "Parking.park()", false},
		{"java.lang", "Object.hashCode()", false},
		{"java.util.concurrent", "LinkedBlockingQueue.take()", false},
		{"element-latency", "queuer0.src", false},
		{"element-latency", "avdec_h264.src", false},
		{"push_buffer", "queue0:src", false},
	} {
		testkit.Equal(t, waiting(c.group, c.name), c.want, "%q in %q waits", c.name, c.group)
	}
	for pkg, want := range map[string]bool{
		"java.util": true, "java": true, "javax.swing": true, "jdk.internal.misc": true, "com.sun.jna": true, "sun.nio.ch": true,
		"javafun": false, "com.sunrise": false, "shop.java": false, "": false,
	} {
		testkit.Equal(t, ofRuntime(pkg), want, "%q is of the runtime", pkg)
	}
}
