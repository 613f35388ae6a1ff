package app

import (
	"context"
	"os/exec"
	"strings"
	"time"
)

// reduced asks for "Reduce motion" of the accessibility settings.
func reduced() bool {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, "defaults", "read", "com.apple.universalaccess", "reduceMotion").Output()
	return err == nil && strings.TrimSpace(string(out)) == "1"
}
