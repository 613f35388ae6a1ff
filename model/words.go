package model

import "slices"

// severityWords are the severities in words, from SeverityTrace on.
var severityWords = [...]string{"trace", "log", "debug", "info", "fixme", "warning", "error"}

// Word is the name of a severity in reports and exports.
func (s Severity) Word() string {
	return severityWords[min(max(s, SeverityTrace), SeverityError)-SeverityTrace]
}

// SeverityOf returns the severity that a word is, false of others.
func SeverityOf(word string) (s Severity, ok bool) {
	k := slices.Index(severityWords[:], word)
	return SeverityTrace + Severity(k), k >= 0
}

// kindWords are the kinds of series in words.
var kindWords = [...]string{
	SeriesValue: "value", SeriesGauge: "gauge", SeriesCounter: "counter", SeriesState: "state", SeriesEvent: "event",
}

// Word is the name of a kind of series in reports and exports.
func (k SeriesKind) Word() string { return kindWords[min(int(k), len(kindWords)-1)] }

// lockWords are the steps of a lock's life in words.
var lockWords = [...]string{
	LockTry: "try", LockAcquired: "acquired", LockReleased: "released", LockWait: "wait", LockSignal: "signal",
	LockWoken: "woken",
}

// Word is the name of an event of a lock in exports.
func (k LockKind) Word() string { return lockWords[min(int(k), len(lockWords)-1)] }
