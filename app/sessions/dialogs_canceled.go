// The system's own file dialogs. This code does not know the purpose of the files.

package sessions

import "errors"

// ErrCanceled is returned by dialogs that the user closed.
var ErrCanceled = errors.New("the dialog was closed")
