//go:build !tiny

package store

// worldRooms is how many bytes of data fit the limits that are tried.
var worldRooms = []int64{16 << 10, 64 << 10, 300 << 10, 1 << 20}
