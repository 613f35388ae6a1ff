// Package frametimes reads tables of frame times (CSV): those of PresentMon, CapFrameX and MangoHud,
// and any other with a column of times or of lengths of frames. It owns how such text is cut into
// rows and cells, what its columns are, in which units, and whether its rows are frames at all. It
// knows nothing of other formats.
//
// A file is read twice: the contents of the columns decide how they are read. In a file that is still being
// written the first rows decide.
package frametimes
