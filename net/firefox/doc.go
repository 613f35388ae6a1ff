// Package firefox reads processed profiles of the Firefox Profiler, saved from its page or written by
// samply: JSON with tables of columns, per thread or shared by all, in any layout since 2019.
//
// It reads a file twice: first the shared tables and the layout, wherever they stand, then one thread
// after the other. It keeps only the shared tables and one thread in memory.
package firefox
