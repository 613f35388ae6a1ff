package trace

import (
	"cmp"
	"context"

	"framescope/net/feed"
)

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
