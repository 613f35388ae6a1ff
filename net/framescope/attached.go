package framescope

import (
	"os"

	"framescope/net/journal"
)

// Is reports whether a file is a session file with definitions and batches, and not with messages of a live
// source.
func Is(path string) bool {
	if st, err := os.Stat(path); path == "" || err != nil || !st.Mode().IsRegular() {
		return false
	}
	info, err := journal.ReadInfo(path)
	return err == nil && info.Source == Kind
}

// ReadAttached returns what a session file has attached with a key, nil where it has nothing. The attached
// things come before all data: so it reads the beginning of the file only.
func ReadAttached(path, key string) (content []byte, err error) {
	r, err := journal.Open(path)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	r.Finish()
	for rec, err := range r.All() {
		switch {
		case err != nil:
			return nil, err
		case rec.Kind == journal.KindData:
			return nil, nil
		case rec.Kind == journal.KindDefinition && string(rec.Key) == key:
			return append([]byte{}, rec.Payload...), nil
		}
	}
	return nil, nil
}
