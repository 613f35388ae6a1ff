package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/trace"
	"sync"
	"time"

	"framescope/app/load"
	"framescope/model/why"
)

// region spends 40 ms in a region of the trace.
func region(name string) {
	defer trace.StartRegion(context.Background(), name).End()
	for begun := time.Now(); time.Since(begun) < 40*time.Millisecond; {
	}
}

// holds returns when another goroutine has a lock, until its region ends.
func holds(m *sync.Mutex, name string) {
	held := make(chan bool)
	go func() { m.Lock(); held <- true; region(name); m.Unlock() }()
	<-held
}

// goCauses are hitches of a Go program, by the region or the state at their root.
func goCauses() map[string]func() {
	var lock, chained sync.Mutex
	said, all, some := make(chan bool), sync.WaitGroup{}, sync.NewCond(&lock)
	from, to, _ := os.Pipe()
	say := func(name string) { region(name); said <- true }
	return map[string]func(){
		"save index": func() { holds(&lock, "save index"); lock.Lock(); lock.Unlock() },
		"bake light": func() {
			holds(&chained, "bake light")
			go func() { chained.Lock(); chained.Unlock(); said <- true }()
			<-said
		},
		"fetch tiles": func() { go say("fetch tiles"); <-said },
		"decode":      func() { all.Go(func() { region("decode") }); all.Wait() },
		"unpack":      func() { go func() { region("unpack"); to.Write([]byte{1}) }(); from.Read(make([]byte, 1)) },
		"load level":  func() { region("load level") },
		"choose": func() {
			go say("choose")
			select {
			case <-said:
			case <-time.After(time.Minute):
			}
		},
		"stream": func() {
			lock.Lock()
			go func() { region("stream"); lock.Lock(); lock.Unlock(); some.Signal() }()
			some.Wait()
			lock.Unlock()
		},
		"waiting: sleep": func() { time.Sleep(40 * time.Millisecond) },
	}
}

// goProgram runs a loop of frames with these hitches while the runtime traces it to a file, and scores how they are
// explained.
func goProgram(out io.Writer, dir string) (t tally, err error) {
	file, err := os.Create(filepath.Join(dir, "go.trace"))
	if err == nil {
		err = trace.Start(file)
	}
	if err != nil {
		return t, err
	}
	roots, n := map[int64]string{}, int64(0)
	frame := func(do func()) {
		defer trace.StartRegion(context.Background(), "frame").End()
		do()
		time.Sleep(5 * time.Millisecond)
		n++
	}
	for root, do := range goCauses() {
		for range 20 {
			frame(func() {})
		}
		roots[n] = root
		frame(do)
	}
	trace.Stop()
	rec, err := load.File(context.Background(), file.Name(), load.Options{})
	if err = errors.Join(err, file.Close()); err != nil {
		return t, err
	}
	s := rec.Session
	for number, want := range roots {
		var a why.Answer
		at, _ := s.Track(s.MainTrack()).FrameByNumber(number)
		why.NewEngine(s).Frame(s.MainTrack(), at, &a)
		root, _ := a.Root()
		one := tally{planted: 1, found: 1}
		switch is := s.Collector(root.Collector).FullName; {
		case is == want || root.State == want:
			one.right = 1
		case root.How == why.Unknown || len(a.Chain) == 0:
			one.silent = 1
		default:
			fmt.Fprintf(out, "%s: said %s %v\n", want, is, root.How)
		}
		t.add(one)
	}
	return t, nil
}
