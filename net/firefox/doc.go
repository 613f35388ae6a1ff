// Package firefox reads processed profiles of the Firefox Profiler, which its page saves and samply
// writes: JSON whose tables are columns, in a thread or shared by all, in any layout since 2019. It
// knows model, feed, names, jsonscan, stackruns and weighed.
//
// A file is read twice: first what is shared and how it is to be read, wherever it stands, then
// thread by thread what is in each; no more than one thread and what is shared is kept.
package firefox
