package library

import "context"

// importEarlier makes sessions of the journals of earlier versions.
func (l *Library) importEarlier(context.Context) {}
