// OpenJSON reads a JSON recording twice: the survey counts and learns names, so that memory is reserved
// exactly and names are known before references to them. The second pass reads the data.

package trace

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"framescope/net/feed"
)

// Steps are what a decoder does, in this order. An error of Begin or Finish is the file's; that of Begin
// includes the reason of an incomplete read.
type Steps struct {
	Survey func(*Reader)
	Begin  func() error
	Read   func(*Reader)
	Finish func(broken error) error // broken is why it was not read to its end, nil where it was
}

// OpenJSON takes the steps with a file. Finish reports invalid JSON in the session; failures to read or
// unpack the file are errors.
func OpenJSON(ctx context.Context, path string, sink feed.Sink, s Steps) error {
	cut, err := pass(ctx, path, func(done, total int64) { sink.Progress(done/2, total) }, s.Survey)
	if err != nil {
		return err
	}
	if err := s.Begin(); err != nil && cut != nil {
		return fmt.Errorf("%w: %w", err, cut)
	} else if err != nil {
		return err
	}
	broken, err := pass(ctx, path, func(done, total int64) { sink.Progress(total/2+done/2, total) }, s.Read)
	if err != nil {
		return err
	}
	broken = Graver(cut, broken)
	return cmp.Or(s.Finish(broken), onlyReading(broken))
}

// pass reads the file once. broken is why it was not read to its end, nil where it was; an error is
// that of opening it, or of ctx.
func pass(ctx context.Context, path string, progress func(done, total int64), use func(*Reader)) (broken, err error) {
	f, err := feed.OpenParts(ctx, path, progress)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := NewReader(f)
	use(r)
	return r.End(), ctx.Err()
}

// onlyReading is why a file could not be read.
func onlyReading(broken error) error {
	var cut *feed.ReadError
	if errors.As(broken, &cut) {
		return fmt.Errorf("the rest can't be read: %w", broken)
	}
	return nil
}

// ReadJSON reads a JSON recording once, see OpenJSON.
func ReadJSON(
	ctx context.Context, path string, sink feed.Sink, read func(*Reader), finish func(broken error) error,
) error {
	broken, err := pass(ctx, path, sink.Progress, read)
	if err != nil {
		return err
	}
	return cmp.Or(finish(broken), onlyReading(broken))
}
