package columns

// Slots are a table's data of each track: a list by id, which is small, nil for tracks without
// data.

// Slot returns the entry of an id, nil without one, for every id.
func Slot[ID ~int32, T any](slots []*T, id ID) *T {
	if id < 0 || int(id) >= len(slots) {
		return nil
	}
	return slots[id]
}

// SetSlot sets the entry of an id, which is not negative, and returns the slots.
func SetSlot[ID ~int32, T any](a *Account, slots []*T, id ID, v *T) []*T {
	if n := int(id) + 1 - len(slots); n > 0 {
		was := cap(slots)
		slots = append(slots, make([]*T, n)...)
		a.Add(int64(cap(slots)-was) * SizeOf[*T]())
	}
	slots[id] = v
	return slots
}

// EmptySlot removes v, if it is the entry of an id.
func EmptySlot[ID ~int32, T any](slots []*T, id ID, v *T) {
	if v != nil && Slot(slots, id) == v {
		slots[id] = nil
	}
}
