package model

import "time"

// DayTime is the time of day at time 0 of a session, where it is known.
type DayTime struct {
	UnixNs int64 // since 1970; 0 is unknown
	By     DayTimeBy
	// StepNs is how exactly that is known, where the source writes it more coarsely than its times; else 0.
	StepNs int64
}

// DayTimeBy is the clock that a time of day is known by.
type DayTimeBy uint8

// The clocks of times of day.
const (
	ByUTC     DayTimeBy = iota
	ByLocal             // of the recording's machine, in a zone that it does not say
	ByArrival           // the viewer's, in UTC, when the first data came
)

var dayTimeWords = [...]string{ByUTC: "UTC", ByLocal: "local", ByArrival: "received, UTC"}

// String returns the clock in words.
func (b DayTimeBy) String() string { return dayTimeWords[min(int(b), len(dayTimeWords)-1)] }

// Label names a time by the clock, as the head of a row: "time of day (UTC)".
func (b DayTimeBy) Label() string {
	if b == ByArrival {
		return "received at (UTC)"
	}
	return "time of day (" + b.String() + ")"
}

// At returns the time of day at a time of the session. ok is false where it is not known.
func (d DayTime) At(ns int64) (at time.Time, ok bool) {
	return time.Unix(0, d.UnixNs+ns).UTC(), d.UnixNs != 0
}

// Words returns the time of day at time 0, empty where it is not known.
func (d DayTime) Words() string {
	at, ok := d.At(0)
	if !ok {
		return ""
	}
	return at.Format("2006-01-02 15:04:05.000") + " (" + d.By.String() + ")"
}
