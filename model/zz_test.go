package model
import ("testing";"fmt")
func TestZZ(t *testing.T){
	s := benchSession(1e6, 1)
	lo, hi, _ := s.Bounds()
	for _, share := range []int64{1,10,100,1000} {
		width := (hi - lo) / share
		from := lo + (hi-lo)/2 - width/2
		for lane := range s.Track(0).Lanes() {
			l := s.lane(0,lane)
			v := barWalk{s: s, l: l, minNs: width*3/1920}
			bars := v.bars(from, from+width, nil)
			n := int32(0); for _,b:=range bars { n+=b.Count}
			fmt.Println(share, lane, l.n, "bars", len(bars), "spans", n, "visited", v.visited, float64(v.visited)/float64(len(bars)))
		}
	}
}
