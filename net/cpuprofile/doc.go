// Package cpuprofile reads profiles of V8: .cpuprofile files of node --cpu-prof, of Chrome's DevTools
// and of whatever speaks the inspector's protocol, in the form of today and that of before 2017. A
// file is one thread: a tree of calls and samples that name its nodes.
package cpuprofile
