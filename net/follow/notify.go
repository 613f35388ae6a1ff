package follow

import (
	"path/filepath"
	"runtime"

	"github.com/fsnotify/fsnotify"
)

// notifier signals changes of a file or a folder. It may miss some, so its users must also look now
// and then.
type notifier struct {
	news    chan struct{} // something happened; nil: there are no notifications here
	watcher *fsnotify.Watcher
	stopped chan struct{}

	told   bool // news came since the last look that found something
	missed int  // how often a look found a change without a notification
}

// maxMissed is how many changes may go without a notification before they are no longer relied on.
const maxMissed = 3

// newNotifier watches the folder of a file, so that the file need not be there yet and may be
// replaced.
func newNotifier(path string, poll bool) *notifier {
	clean := filepath.Clean(path)
	return newWatcher(filepath.Dir(clean), poll, func(name string) bool { return filepath.Clean(name) == clean })
}

// newWatcher watches a folder for changes of files that are of interest.
func newWatcher(dir string, poll bool, interest func(name string) bool) *notifier {
	n := &notifier{}
	// On systems with kqueue a watched folder needs an open file for each file in it, too many for the
	// benefit.
	if poll || runtime.GOOS != "linux" && runtime.GOOS != "windows" {
		return n
	}
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return n
	}
	if err := w.Add(dir); err != nil {
		w.Close()
		return n
	}
	n.watcher, n.news, n.stopped = w, make(chan struct{}, 1), make(chan struct{})
	go func() {
		defer close(n.stopped)
		for {
			select {
			case e, ok := <-w.Events:
				if !ok {
					return
				}
				if e.Op == fsnotify.Chmod || !interest(e.Name) {
					continue
				}
			case _, ok := <-w.Errors: // such as an overflow: look in any case
				if !ok {
					return
				}
			}
			select {
			case n.news <- struct{}{}:
			default: // one that was not looked at yet says it all
			}
		}
	}()
	return n
}

// found notes that a look found something new, with or without a notification.
func (n *notifier) found() {
	if n.news != nil && !n.told {
		n.missed++
	}
	n.told = false
}

// lookEvery returns the number of idle ticks after which to look without a notification.
func (n *notifier) lookEvery() int {
	if n.news == nil || n.missed >= maxMissed {
		return ticksPolling
	}
	return ticksNotified
}

func (n *notifier) close() {
	if n.watcher != nil {
		n.watcher.Close()
		<-n.stopped
	}
}
