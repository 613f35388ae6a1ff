//go:build soak

package truth

const long = true
