package frametimes

import (
	"strings"
	"testing"

	"framescope/net/feed/feedtest"
)

// Tables that were exported for other programs are no frames, and it is said which of them open again.
func TestTablesForOthers(t *testing.T) {
	for name, text := range map[string]string{
		"spans.csv":     "thread_id,thread,frame,begin_ns,duration_ns,self_ns,name,path,depth,open\n1,a,0,10,20,5,x,x,0,false\n1,a,1,40,20,5,x,x,0,false\n",
		"counters.csv":  "thread_id,thread,frame,time_ns,name,unit,value\n1,a,0,10,x,,20\n1,a,1,20,x,,20\n1,a,1,30,x,,20\n",
		"spans.parquet": "PAR1\x15\x06",
	} {
		path := feedtest.File(t, name, text)
		told := Source{}.Hint([]byte(text), name)
		if (Source{}).Sniff([]byte(text), name) {
			_, err := open(t, path, Source{})
			told = err.Error()
		}
		if !strings.Contains(told, "for other programs") {
			t.Errorf("%s: %q", name, told)
		}
	}
}
