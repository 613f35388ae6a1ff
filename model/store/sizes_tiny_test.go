//go:build tiny

package store

// worldRooms is how many bytes of data fit the limits that are tried.
var worldRooms = []int64{0, 3 << 10, 20 << 10, 100 << 10}
