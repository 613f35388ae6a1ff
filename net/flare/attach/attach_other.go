//go:build !linux && !darwin

package attach

import "context"

func command(context.Context, int, ...string) ([]byte, error) { return nil, ErrUnsupported }

// List returns the Java VMs of this machine; on this system none are found.
func List() ([]VM, error) { return nil, ErrUnsupported }
