package app

import (
	"syscall"
	"unsafe"
)

// reduced asks for "Show animations in Windows" (SPI_GETCLIENTAREAANIMATION).
func reduced() bool {
	const clientAreaAnimation = 0x1042
	get := syscall.NewLazyDLL("user32.dll").NewProc("SystemParametersInfoW")
	if get.Find() != nil {
		return false
	}
	var on int32
	ok, _, _ := get.Call(clientAreaAnimation, 0, uintptr(unsafe.Pointer(&on)), 0)
	return ok != 0 && on == 0
}
