package shell

import (
	"errors"
	"strings"
	"testing"

	"framescope/net/journal"
)

// What can't be read of a recording is told, and counts, but for where an interrupt has cut a stream off; so
// does what could not be exported of a session, and other errors stay errors.
func TestDamaged(t *testing.T) {
	var text strings.Builder
	s := &Streams{Err: &text}
	if s.Damaged(&Recording{Ended: true}, "pipe: byte %d", 7); s.AnyDamaged() {
		t.Error("a stream that was interrupted is damaged")
	}
	if err := errors.New("disk full"); !errors.Is(s.Exported(err), err) || s.Exported(nil) != nil || s.AnyDamaged() {
		t.Error("another error is a damage")
	}
	if s.Damaged(&Recording{}, "file: byte %d", 8); !s.AnyDamaged() {
		t.Error("it does not count")
	}
	other := &Streams{Err: &text}
	damaged := journal.Unread{First: journal.Damage{File: "a.seg", Offset: 9, Reason: "checksum", Bytes: 3}, More: 2}
	if err := other.Exported(errors.Join(damaged, nil)); err != nil || !other.AnyDamaged() {
		t.Errorf("of an export: %v", err)
	}
	want := "framescope: warning: pipe: byte 7\nframescope: warning: file: byte 8\n" +
		"framescope: warning: not all of it can be read: a.seg: offset 9: checksum, 3 bytes cannot be read; 2 more places are damaged\n"
	if text.String() != want {
		t.Errorf("%s", text.String())
	}
}
