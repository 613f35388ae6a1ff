package trace

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"framescope/model"
	"framescope/net/feed"
)

// MaxWeighed bounds the calls of a stack without times; the innermost are left out.
const MaxWeighed = 1 << 14

// Profile writes a recording of stacks to a sink: samples and calls with times by Out, or weights without any, see
// Weigh. The reader of its format says what it reads, and what of it is Bad.
type Profile struct {
	Info  model.Info // Sampling.Timeless chooses between times and weights
	Facts []string   // of the recording, for Info.Detail
	Kind  WeightKind // of the weights
	Room  *feed.Names
	Names *Table
	Files Files
	Out   *StackWriter
	Bad   Diagnostics

	Space Spacing // of the samples

	sink    feed.Sink
	weights *Stacks // their whole parts, and what they have besides, in parts of mostParts
	total   int64   // of the weights, at most
	stack   []model.PathID
	newest  model.PathID // call path of the stack
	samples int64
	idle    int64 // of these, without a stack,
	idleNs  int64 // for so long
}

// NewProfile returns a profile of a file.
func NewProfile(sink feed.Sink, info model.Info) *Profile {
	info.PID, info.File = -1, true
	room := feed.NamesOf(sink)
	p := &Profile{
		Info: info, Kind: WeightKind{Name: model.WeightSamples}, Room: room, Names: NewTable(sink, room, "All"),
		sink: sink, weights: NewWeighted(room, WeightKind{}, WeightKind{}),
	}
	p.Out = NewStackWriter(p.Names, &p.Bad)
	p.Files.Names = p.Names
	return p
}

// Close gives back the room that the profile takes.
func (p *Profile) Close() { p.Room.Close() }

// Define defines Info.
func (p *Profile) Define() {
	p.Space.Measured(&p.Info.Sampling)
	p.Info.Clock.StepNs = p.Info.Sampling.MedianNs
	facts := slices.Clone(p.Facts)
	if p.idle > 0 {
		facts = append(facts, fmt.Sprintf("%d of %d samples, %d µs, found it idle", p.idle, p.samples, p.idleNs/1000))
	}
	p.Info.Detail = strings.Join(facts, ", ")
	p.sink.Define(p.Info)
}

// Warn defines a warning.
func (p *Profile) Warn(format string, args ...any) {
	Warn(p.sink, format, args...)
}

// Sample writes a sample of a thread, which lasts so long, by the call path of its innermost call: none where the
// thread was idle.
func (p *Profile) Sample(t *StackThread, at, lasts int64, path model.PathID) {
	p.Space.Add(lasts)
	if p.samples++; path == model.PathRoot {
		p.idle++
		p.idleNs += lasts
	}
	if path != p.newest {
		p.newest, p.stack = path, p.Names.Stack(path, p.stack[:0])
	}
	t.Sample(at, p.stack)
}

// Weigh adds a weight without a time to a stack of a thread, which is named by the call path of its innermost call.
// The weight stands at a place of the recording. Stacks with a negative one in all are left out.
func (p *Profile) Weigh(track model.TrackID, path model.PathID, weight float64, place int64) {
	if p.samples++; path == model.PathRoot {
		p.idle++
	}
	whole, part := math.Modf(weight)
	switch {
	case !(math.Abs(weight) <= MostOne) || int64(math.Abs(weight))+1 > Most-p.total:
		p.Bad.Bad(LargeWeight, place)
	case p.weights.Add(track, path, int64(whole), int64(math.Round(part*mostParts))) != nil:
		p.Bad.Bad(ManyStacks, place)
	default:
		p.total += int64(math.Ceil(math.Abs(weight)))
	}
}

// Finish publishes the rest and the diagnostics. broken is the error that ended the reading early, nil if none did.
func (p *Profile) Finish(broken error) error {
	if !p.Out.Close() {
		return feed.ErrCancelled
	}
	if p.Info.Sampling.Timeless {
		if err := p.publishWeights(); err != nil {
			return err
		}
	}
	p.Define()
	p.Bad.Broken(broken)
	p.Bad.Define(p.sink.Define, p.Room)
	p.Names.Report()
	return nil
}

// ReadName appends a name of a JSON text to a buffer, nothing for null.
func (p *Profile) ReadName(r *Reader, buf []byte) []byte {
	first, at := r.Peek(), r.At()
	s := r.String()
	if first != '"' && first != 'n' && r.Err() == nil {
		p.Bad.Bad(BadName, at)
	}
	return append(buf, s...)
}

// FirstHas reads a list of a JSON text, no further than its first object, and reports whether that has all of some
// keys.
func FirstHas(r *Reader, keys ...string) bool {
	n := 0
	r.Array(func() {
		r.Object(func(key []byte) {
			if slices.Contains(keys, string(key)) {
				n++
			}
		})
		r.Stop(nil)
	})
	return n == len(keys)
}

// mostParts is into how many parts a unit is divided at most.
const mostParts = 1e9

// weighed is the sum of the weights of a stack.
func weighed(sum []int64) float64 { return float64(sum[0]) + float64(sum[1])/mostParts }

// parts is into how many parts the unit is divided so that no sum vanishes that is above 0: 1, or a power of ten.
func (p *Profile) parts() float64 {
	least, total := math.Inf(1), 0.0
	for _, sum := range p.weights.sums {
		n := weighed(*sum)
		if total += n; n > 0 {
			least = min(least, n)
		}
	}
	parts := 1.0
	for least*parts < 0.5 && parts < mostParts && total*parts*10 < MostOne {
		parts *= 10
	}
	return parts
}

// publishWeights publishes the weights, in parts of their unit where some of them are less than one.
func (p *Profile) publishWeights() error {
	parts := p.parts()
	if parts > 1 {
		p.Kind = WeightKind{Name: strings.TrimSpace(fmt.Sprintf("%s, in 1/%.0f %s", p.Kind.Name, parts, p.Kind.Unit))}
	}
	p.weights.kinds = []WeightKind{p.Kind}
	rounded, freed, negative := false, 0, 0.0
	for at, sum := range p.weights.sums {
		n := weighed(*sum)
		if n < 0 {
			freed++
			negative -= n
			delete(p.weights.sums, at)
			continue
		}
		whole, part := (*sum)[0], float64((*sum)[1])/mostParts
		rounded = rounded || part != math.Round(part)
		*sum = append((*sum)[:0], whole*int64(parts)+int64(math.Round(part*parts)))
	}
	if rounded {
		p.Warn("Some weights are fractions: the sum of each stack is rounded to a multiple of %g.", 1/parts)
	}
	if freed > 0 {
		p.Warn("%d stacks have a negative weight (−%.0f in all), such as freed memory: they are left out.", freed, negative)
	}
	return p.weights.Publish(p.sink)
}
