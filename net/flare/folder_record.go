package flare

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"

	"framescope/model"
)

// maxStack bounds the depth of a stack; the agent's own limit is 2,000.
const maxStack = 1 << 14

// Limits of a StackPool.
const (
	maxStackWords  = 1 << 26 // methods of all different stacks
	maxKnownStacks = 1 << 20
)

// StackPool keeps each different stack once: neighbouring samples mostly have the same.
type StackPool struct {
	known map[string][]MethodID
	words int
	key   []byte
}

// Intern returns a kept copy of a stack; false where there is no room for one more.
func (p *StackPool) Intern(ids []MethodID) ([]MethodID, bool) {
	p.key = appendStack(p.key[:0], ids)
	if have, ok := p.known[string(p.key)]; ok {
		return have, true
	}
	kept := ListOf(ids)
	if p.words+len(ids) > maxStackWords || len(p.known) >= maxKnownStacks {
		return kept, false
	}
	p.words += len(ids)
	model.Put(&p.known, string(p.key), kept)
	return kept, true
}

// appendStack appends a stack as a key of a map.
func appendStack(key []byte, stack []MethodID) []byte {
	for _, id := range stack {
		key = binary.LittleEndian.AppendUint64(key, uint64(id))
	}
	return key
}

// MaxTimeMs bounds the times of samples, so that differences of them never overflow: some 280,000
// years after 1970.
const MaxTimeMs = 1 << 53

// parseRecord reads one stack record.
func parseRecord(data []byte, stacks *StackPool) (x Record, name string, err error) {
	j := ThreadRecord{Time: math.MinInt64, Count: 1}
	if err := json.Unmarshal(data, &j); err != nil {
		return x, "", fmt.Errorf("a record is not a sample in JSON: %w", err)
	}
	switch {
	case j.Time == math.MinInt64:
		return x, "", fmt.Errorf("a record has no sample_time")
	case j.Time < 0 || j.Time > MaxTimeMs:
		return x, "", fmt.Errorf("a record has the invalid time %d ms", j.Time)
	}
	if len(j.Stack) > maxStack {
		return x, "", fmt.Errorf("a stack has too many methods: %d", len(j.Stack))
	}
	x = Record{TimeMs: j.Time, CPUNs: j.CPU, CPUDeltaNs: j.Delta, Count: j.Count}
	x.Stack, _ = stacks.Intern(j.Stack)
	return x, j.Name, nil
}

// ListOf returns a list that JSON writes as [] where it is empty.
func ListOf[T any](list []T) []T { return append([]T{}, list...) }
