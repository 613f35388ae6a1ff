package cli

import (
	"errors"
	"fmt"
	"os"

	"framescope/app/library"
	"framescope/model/place"
)

// cutLink splits the name of a recording into its path and the place in it, of Kind None if there is
// none.
func cutLink(arg string) (name string, p place.Place, err error) {
	name, p, err = place.Cut(arg, func(name string) bool {
		_, err := os.Lstat(name)
		return err == nil || name == library.Newest || name == "-"
	})
	if err != nil {
		return name, p, Usage(fmt.Errorf("%s: %w", name, err))
	}
	return name, p, nil
}

// cutLinks is cutLink for several arguments: the names, and the places by name.
func cutLinks(args []string) (names []string, at map[string]place.Place, err error) {
	names, at = make([]string, len(args)), map[string]place.Place{}
	for i, arg := range args {
		p := place.Place{}
		if names[i], p, err = cutLink(arg); err != nil {
			return nil, nil, err
		}
		if p.Kind != place.None {
			at[names[i]] = p
		}
	}
	return names, at, nil
}

// cutRange is cutLink for commands about a range of one thread: the place becomes rng, the value of --range,
// which like the other flags must not be given then, and of --thread, if that is not given: otherwise
// numbers of frames are those of the thread of --thread. given reports whether a flag is set.
func cutRange(
	arg string, rng *place.TimeRange, given func(flag string) bool, flags ...string,
) (name, thread string, err error) {
	name, p, err := cutLink(arg)
	if err != nil || p.Kind == place.None {
		return name, "", err
	}
	for _, flag := range flags {
		if given(flag) {
			return name, "", Usage(fmt.Errorf("give either --%s or the place #%s", flag, p))
		}
	}
	text, err := place.Of(p)
	if err == nil && p.Nth > 0 && !given("thread") {
		err = errors.New("several threads have this name, and only the window can distinguish them")
	}
	if err == nil {
		*rng, err = place.ParseRange(text)
	}
	if err != nil {
		return name, "", Usage(fmt.Errorf("%s: #%s: %w", name, p, err))
	}
	if given("thread") {
		return name, "", nil
	}
	return name, p.Thread, nil
}

// cutRanges is cutRange for commands about one range of one or several recordings, or of their threads: only one
// recording alone may have a place.
func cutRanges(
	args []string, rng *place.TimeRange, threads *[]string, given func(flag string) bool,
) (names []string, err error) {
	names = make([]string, len(args))
	for i, arg := range args {
		thread := ""
		if names[i], thread, err = cutRange(arg, rng, given, "range"); err != nil {
			return nil, err
		}
		if len(args) > 1 && names[i] != arg {
			return nil, Usage(errors.New("a link to a place takes one recording; for several use --range"))
		}
		if thread != "" {
			*threads = []string{thread}
		}
	}
	return names, nil
}

// withPlace puts the places back behind the names of recordings that are opened.
func withPlace(files []string, at map[string]place.Place) {
	for i, name := range files {
		if p, ok := at[name]; ok {
			files[i] = name + "#" + p.String()
		}
	}
}
