package planted

import (
	"cmp"
	"fmt"
)

// Style is the way in which a game names what its threads wait in.
type Style string

// The styles that are not those of an engine or a platform.
const (
	Conventional Style = "conventional" // Wait:X
	Meaningless  Style = "meaningless"  // no name of the game says anything
)

// Styles are all of them.
var Styles = []Style{
	Conventional, "unreal", "unity", "godot", "bevy", "source", "plain", "graphics", "posix", "win32", "rust", "go",
	"java",
	Meaningless,
}

// role is what a thread waits for.
type role uint8

const (
	waitLock role = iota
	waitCondition
	waitIO
	waitStop
	waitLimit
	waitFlip
	waitSync
	waitIdle
	waitJobs
	waitRender
	numRoles
)

// styled are the names of waits, by role.
var styled = map[Style][numRoles]string{
	"unreal": {
		"FCriticalSection::Lock", "FEvent::Wait", "FAsyncReadRequest_WaitCompletion", "GarbageCollectionLock",
		"FEngineLoop_MaxTickRate_Sleep",
		"RHIPresent_WaitForVBlank", "FrameSyncTime", "WorkerThread_Idle", "GameThreadWaitForTask",
		"FRenderCommandFence::Wait",
	},
	"unity": {
		"Mutex.Lock", "Semaphore.WaitForSignal", "AsyncReadManager.SyncRequest", "GC.WaitForPendingFinalizers",
		"WaitForTargetFPS",
		"Gfx.WaitForPresentOnGfxThread", "Gfx.WaitForGfxCommandsFromMainThread", "Idle", "JobHandle.Complete",
		"Gfx.WaitForRenderThread",
	},
	"godot": {
		"MutexLock::lock", "ConditionVariable::wait", "FileAccess::wait_for_read", "ObjectDB::lock", "OS::delay_usec",
		"DisplayServer::swap_buffers", "RenderingServer::sync", "WorkerThreadPool::idle",
		"WorkerThreadPool::wait_for_group_task_completion",
		"RenderingServer::sync_wait",
	},
	"bevy": {
		"parking_lot::RawMutex::lock", "event_listener::wait", "block_on", "park_timeout", "frame_limiter",
		"acquire_next_image",
		"extract_recv", "executor::park", "task_pool::scope_join", "render_app_recv",
	},
	"source": {
		"CThreadMutex::Lock", "CThreadEvent::Wait", "IAsyncFileSystem::AsyncFinish Wait", "Stall: Lua GC", "NET_SleepUntil",
		"Present",
		"CMatQueuedRenderContext_Sync", "CJobThread_Idle", "CThreadPool::YieldWait", "MaterialSystem_SwapBuffers",
	},
	"plain": {
		"lock scene", "block on condition", "block on disk", "stalled by collector", "frame limit", "swap buffers",
		"sync with threads", "idle",
		"join workers", "acquire frame",
	},
	"graphics": {
		"lock mutex", "vkWaitSemaphores", "wait for upload", "vkQueueWaitIdle", "frame limiter", "vkAcquireNextImageKHR",
		"vkWaitForFences",
		"idle thread", "eglClientWaitSync", "glFinish",
	},
	"posix": {
		"pthread_mutex_lock", "pthread_cond_wait", "ppoll", "futex_wait", "clock_nanosleep", "drmWaitVBlank",
		"pthread_barrier_wait", "sem_wait",
		"pthread_join", "sem_timedwait",
	},
	"win32": {
		"EnterCriticalSection", "SleepConditionVariableSRW", "GetQueuedCompletionStatus", "NtWaitForAlertByThreadId",
		"SleepEx", "IDXGISwapChain::Present", "WaitForSingleObject", "MsgWaitForMultipleObjects", "WaitForMultipleObjects",
		"AcquireSRWLockExclusive",
	},
	"rust": {
		"std::sync::Mutex<T>::lock", "Condvar::wait", "mio::poll", "std::thread::park", "std::thread::sleep",
		"wgpu::Device::poll",
		"std::sync::Barrier::wait", "mpsc::Receiver::recv", "JoinHandle::join", "crossbeam_channel::recv_timeout",
	},
	"go": {
		"sync.(*Mutex).Lock", "sync.(*Cond).Wait", "internal/poll.runtime_pollWait", "runtime.stopTheWorld wait",
		"time.Sleep", "sdl.GLSwap",
		"runtime.chanrecv1", "runtime.gopark", "sync.(*WaitGroup).Wait", "runtime.selectgo",
	},
	"java": {
		"ReentrantLock.lock", "ConditionObject.await", "Selector.select", "SafepointSynchronize::block", "Thread.sleep",
		"GLFW.glfwSwapBuffers",
		"CyclicBarrier.await", "LinkedBlockingQueue.take", "CountDownLatch.await", "FutureTask.get",
	},
}

// trickyNames are names of work with words that names of waits have.
var trickyNames = []string{
	"Sync transforms", "Acquire targets", "Join meshes", "Park vehicles", "Idle animation", "Swap weapons",
	"Present dialogs",
	"Event queue", "WaitlistUpdate", "Fence pathing", "Lock-on", "Barrier mesh", "UnlockDoors", "Semaphore signals",
	"Take damage",
}

// wait returns the collector in which threads wait in a role; named is its conventional name.
func (w *world) wait(of role, named string) int {
	i := w.collector(cmp.Or(styled[w.o.Style][of], named))
	w.waits[i] = true
	return i
}

// namesFor returns the names of parts of a game that a style draws from.
func (w *world) namesFor(names []string) []string {
	if styled[w.o.Style] == [numRoles]string{} {
		return names
	}
	return append(names[:len(names):len(names)], trickyNames...)
}

// nameOf returns the name of the collector with an index: own, unless names say nothing.
func (w *world) nameOf(i int, own string) string {
	if w.o.Style != Meaningless {
		return own
	}
	return fmt.Sprintf("%c%d", 'a'+i%26, i/26+1)
}
