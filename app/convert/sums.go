package convert

// Sums adds up rows of totals of the same collectors.
type Sums struct {
	rows  [][]Cell
	place map[sumKey]int
}

type sumKey struct {
	thread, line       int64
	title, name, place string
}

// The columns of Totals.
const (
	sumThread = iota
	sumTitle
	sumName
	sumCount
	sumTotal
	sumSelf
	sumShortest
	sumLongest
	sumFile
	sumLine
)

// Add adds a row.
func (x *Sums) Add(row []Cell) error {
	key := sumKey{row[sumThread].Int, row[sumLine].Int, row[sumTitle].Text, row[sumName].Text, row[sumFile].Text}
	at, known := x.place[key]
	if !known {
		if x.place == nil {
			x.place = map[sumKey]int{}
		}
		x.place[key] = len(x.rows)
		x.rows = append(x.rows, append([]Cell(nil), row...))
		return nil
	}
	sum := x.rows[at]
	for _, k := range [...]int{sumCount, sumTotal, sumSelf} {
		sum[k].Int += row[k].Int
	}
	sum[sumShortest].Int = min(sum[sumShortest].Int, row[sumShortest].Int)
	sum[sumLongest].Int = max(sum[sumLongest].Int, row[sumLongest].Int)
	return nil
}

// Each calls fn for the sums, in the order in which their collectors came, and forgets them.
func (x *Sums) Each(fn func(row []Cell) error) error {
	rows := x.rows
	*x = Sums{}
	for _, row := range rows {
		if err := fn(row); err != nil {
			return err
		}
	}
	return nil
}
