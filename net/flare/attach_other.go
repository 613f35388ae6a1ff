//go:build !linux && !darwin

package flare

import "context"

func command(context.Context, int, ...string) ([]byte, error) { return nil, ErrUnsupported }

// ListVMs returns the Java VMs of this machine; on this system none are found.
func ListVMs() ([]VM, error) { return nil, ErrUnsupported }
