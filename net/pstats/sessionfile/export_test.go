package sessionfile

// For the tests, which are outside of the package.
var (
	FileHead  = fileHead
	FileTail  = fileTail
	FileMagic = fileMagic
)

// AllLevelThreads returns what a file says of the threads that have levels.
func (d *Definitions) AllLevelThreads() map[int][]uint32 { return d.levelThreads() }
