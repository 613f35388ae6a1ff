//go:build !unix

package aside

import "io/fs"

// mine reports whether a file belongs to the user of the program. Here each user has their own
// temporary folder.
func mine(fs.FileInfo) bool { return true }
