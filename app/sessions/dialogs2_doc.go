// File dialogs2_doc.go shows the system's own dialogs for files. It owns how they are asked for; what becomes of the files
// it does not know.

package sessions

import "errors"

// ErrCanceled is returned by dialogs that the user closed.
var ErrCanceled = errors.New("the dialog was closed")
