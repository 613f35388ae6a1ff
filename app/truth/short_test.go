//go:build !soak

package truth

const long = false
