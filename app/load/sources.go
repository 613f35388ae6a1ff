package load

import (
	"fmt"

	"framescope/model"
	"framescope/net/chrometrace"
	"framescope/net/cpuprofile"
	"framescope/net/feed"
	"framescope/net/firefox"
	"framescope/net/flare"
	"framescope/net/folded"
	"framescope/net/frametimes"
	"framescope/net/gotrace"
	"framescope/net/gsttrace"
	"framescope/net/jfr"
	"framescope/net/perfetto"
	"framescope/net/perfscript"
	"framescope/net/pprof"
	"framescope/net/profilelib"
	"framescope/net/pstats/decode"
	"framescope/net/puffin"
	"framescope/net/spall"
	"framescope/net/speedscope"
	"framescope/net/systrace"
	"framescope/net/tracy"
)

// Sources says how the kinds of recordings are to be read. The zero value finds out everything by
// itself.
type Sources struct {
	// Layout is the short name of a layout of profile_lib streams, such as "v3-72"; empty: it is
	// found out.
	Layout string
	// Frames is the name of the spans that become frames, for kinds of recordings with frames in spans.
	Frames feed.Frames
	// Label is the label key that divides the samples of a pprof profile into threads by its values;
	// empty: by the thread label, if any.
	Label string
	// Time and FrameTime are the columns of times and of lengths of frames of a table (CSV), by their
	// names, or by their numbers where they have none; empty: they are found out.
	Time, FrameTime string
	// Treat says which collectors wait and which work, whatever they are called.
	Treat model.Treat
}

// Registry lists the kinds of recordings that Framescope opens. profile_lib streams, which have no
// magic number, come last.
func (o Sources) Registry() (feed.Registry, error) {
	p, err := o.ProfileLib()
	if err != nil {
		return nil, err
	}
	return feed.Registry{
		decode.Source{}, Journals{o}, flare.Source{},
		gotrace.Source{Options: gotrace.Options{Frames: o.Frames}},
		spall.Source{Frames: o.Frames}, puffin.Source{}, tracy.Source{}, jfr.Source{},
		chrometrace.Source{Frames: o.Frames}, perfetto.Source{Frames: o.Frames}, cpuprofile.Source{}, speedscope.Source{},
		firefox.Source{Frames: o.Frames},
		GStreamer(), perfscript.Source{}, systrace.Source{Frames: o.Frames},
		frametimes.Source{Time: o.Time, FrameTime: o.FrameTime, Frames: o.Frames},
		folded.Source{}, pprof.Source{Label: o.Label}, p,
	}, nil
}

// framesGiven reports whether a recording defines its own frames, so that none are chosen.
func framesGiven(src feed.Source) bool {
	switch src.(type) {
	case Journals, firefox.Source: // depends on their content, on markers
		return false
	}
	return !src.About().Chosen
}

// unused returns the flags that are given and mean nothing for recordings of a source.
func (o Sources) unused(src feed.Source) (flags []string) {
	if _, several := src.(Journals); several { // they hold sessions of others
		return nil
	}
	_, layouts := src.(profilelib.Source)
	_, labels := src.(pprof.Source)
	_, columns := src.(frametimes.Source)
	for _, f := range [...]struct {
		flag, given string
		used        bool
	}{{"--layout", o.Layout, layouts}, {"--label", o.Label, labels}, {"--time", o.Time, columns},
		{"--frame-time", o.FrameTime, columns}} {
		if f.given != "" && !f.used {
			flags = append(flags, f.flag)
		}
	}
	return flags
}

// ProfileLib returns the source of profile_lib streams.
func (o Sources) ProfileLib() (feed.Streamer, error) {
	var s profilelib.Source
	if o.Layout == "" {
		return s, nil
	}
	l, err := profilelib.ParseRecord(o.Layout)
	if err != nil {
		return nil, fmt.Errorf("--layout: %w", err)
	}
	s.Options.Layout = &l
	return s, nil
}

// GStreamer returns the source of GStreamer's trace logs.
func GStreamer() feed.Streamer { return gsttrace.Source{} }
