//go:build !js

package query

import (
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"

	"modernc.org/libc"
	lib "modernc.org/sqlite/lib"

	"framescope/app/convert"
)

// The tables are a module of SQLite in the words of its C interface. The package vtab has the same for Go, but locks
// and copies for each value, which takes as long as all else.

// register makes SQLite know the module on each connection that is opened.
var register = sync.OnceFunc(func() {
	tls := libc.NewTLS()
	defer tls.Close()
	args := make([]uint64, 1) // without the count of memory there is no limit of it
	lib.Xsqlite3_config(tls, lib.SQLITE_CONFIG_MEMSTATUS, libc.VaList(uintptr(unsafe.Pointer(&args[0])), int32(1)))
	runtime.KeepAlive(args)
	p := lib.Xsqlite3_malloc64(tls, uint64(unsafe.Sizeof(lib.Tsqlite3_module{})))
	*at[lib.Tsqlite3_module](p) = lib.Tsqlite3_module{
		FxCreate: pointer(create), FxConnect: pointer(create), FxBestIndex: pointer(bestIndex),
		FxDisconnect: pointer(disconnect), FxDestroy: pointer(disconnect),
		FxOpen: pointer(openCursor), FxClose: pointer(closeCursor), FxFilter: pointer(filter),
		FxNext: pointer(next), FxEof: pointer(eof), FxColumn: pointer(column), FxRowid: pointer(rowid),
	}
	native = p
	lib.Xsqlite3_auto_extension(tls, pointer(extend))
})

// native is the module, in memory of SQLite.
var native uintptr

// extend gives a connection the module.
func extend(tls *libc.TLS, db, _, _ uintptr) int32 {
	name, err := libc.CString(moduleName)
	if err != nil {
		return lib.SQLITE_NOMEM
	}
	defer libc.Xfree(tls, name)
	return lib.Xsqlite3_create_module_v2(tls, db, name, native, 0, 0)
}

// pointer is a function of the package as C has it.
func pointer[F any](f F) uintptr { return *(*uintptr)(unsafe.Pointer(&f)) }

// at is what lies at an address of SQLite.
func at[T any](p uintptr) *T { return *(**T)(unsafe.Pointer(&p)) }

// element is an element of a list of SQLite.
func element[T any](list uintptr, i int32) *T {
	var one T
	return at[T](list + uintptr(i)*unsafe.Sizeof(one))
}

// handles are things that SQLite has numbers of. To look one up locks nothing.
type handles[T any] struct {
	changes sync.Mutex
	all     atomic.Pointer[[]*T]
}

// change replaces the things by what do makes of a copy.
func (h *handles[T]) change(do func(all []*T) []*T) {
	h.changes.Lock()
	defer h.changes.Unlock()
	var all []*T
	if old := h.all.Load(); old != nil {
		all = append(all, *old...)
	}
	all = do(all)
	h.all.Store(&all)
}

func (h *handles[T]) add(x *T) (number int) {
	h.change(func(all []*T) []*T {
		for number = range all {
			if all[number] == nil {
				all[number] = x
				return all
			}
		}
		number = len(all)
		return append(all, x)
	})
	return number
}

func (h *handles[T]) remove(number int) {
	h.change(func(all []*T) []*T { all[number] = nil; return all })
}

var (
	tables  handles[table]
	cursors handles[cursor]
)

// nativeTable and nativeCursor are what SQLite holds of them.
type nativeTable struct {
	lib.Tsqlite3_vtab
	number int
}

type nativeCursor struct {
	lib.Tsqlite3_vtab_cursor
	number int
}

// tableOf and cursorOf are what an address of SQLite stands for.
func tableOf(p uintptr) *table   { return (*tables.all.Load())[at[nativeTable](p).number] }
func cursorOf(p uintptr) *cursor { return (*cursors.all.Load())[at[nativeCursor](p).number] }

// result is how SQLite hears of an error; its words are in the database (fails).
func result(err error) int32 {
	if err != nil {
		return lib.SQLITE_ERROR
	}
	return lib.SQLITE_OK
}

// create implements xCreate and xConnect.
func create(tls *libc.TLS, db, _ uintptr, n int32, args, out, _ uintptr) int32 {
	const own = 3 // arguments before those that setUp writes: module, schema, table
	if n != own+2 {
		return lib.SQLITE_ERROR
	}
	t := newTable(libc.GoString(*element[uintptr](args, own)), libc.GoString(*element[uintptr](args, own+1)))
	if t == nil {
		return lib.SQLITE_ERROR
	}
	schema, err := libc.CString(t.schema())
	if err != nil {
		return lib.SQLITE_NOMEM
	}
	defer libc.Xfree(tls, schema)
	p := lib.Xsqlite3_malloc64(tls, uint64(unsafe.Sizeof(nativeTable{})))
	if p == 0 {
		return lib.SQLITE_NOMEM
	}
	*at[nativeTable](p) = nativeTable{number: tables.add(t)}
	*at[uintptr](out) = p
	return lib.Xsqlite3_declare_vtab(tls, db, schema)
}

func disconnect(tls *libc.TLS, p uintptr) int32 {
	tables.remove(at[nativeTable](p).number)
	lib.Xsqlite3_free(tls, p)
	return lib.SQLITE_OK
}

func bestIndex(_ *libc.TLS, p, info uintptr) int32 {
	tableOf(p).bestIndex(at[lib.Sqlite3_index_info](info))
	return lib.SQLITE_OK
}

func openCursor(tls *libc.TLS, p, out uintptr) int32 {
	c := lib.Xsqlite3_malloc64(tls, uint64(unsafe.Sizeof(nativeCursor{})))
	if c == 0 {
		return lib.SQLITE_NOMEM
	}
	*at[nativeCursor](c) = nativeCursor{number: cursors.add(&cursor{t: tableOf(p)})}
	*at[uintptr](out) = c
	return lib.SQLITE_OK
}

func closeCursor(tls *libc.TLS, p uintptr) int32 {
	cursorOf(p).close()
	cursors.remove(at[nativeCursor](p).number)
	lib.Xsqlite3_free(tls, p)
	return lib.SQLITE_OK
}

func filter(tls *libc.TLS, p uintptr, number int32, _ uintptr, n int32, args uintptr) int32 {
	values := make([]any, n)
	for i := range n {
		values[i] = valueOf(tls, *element[uintptr](args, i))
	}
	return result(cursorOf(p).filter(int(number), values))
}

// valueOf is a value that SQLite compares with; nil for what no column compares with.
func valueOf(tls *libc.TLS, v uintptr) any {
	switch lib.Xsqlite3_value_type(tls, v) {
	case lib.SQLITE_INTEGER:
		return int64(lib.Xsqlite3_value_int64(tls, v))
	case lib.SQLITE_FLOAT:
		return lib.Xsqlite3_value_double(tls, v)
	case lib.SQLITE_TEXT:
		text := lib.Xsqlite3_value_text(tls, v)
		return string(libc.GoBytes(text, int(lib.Xsqlite3_value_bytes(tls, v))))
	}
	return nil
}

func next(_ *libc.TLS, p uintptr) int32 { return result(cursorOf(p).next()) }

func eof(_ *libc.TLS, p uintptr) int32 {
	if cursorOf(p).now == nil {
		return 1
	}
	return 0
}

func rowid(_ *libc.TLS, p, out uintptr) int32 {
	*at[int64](out) = cursorOf(p).rowid()
	return lib.SQLITE_OK
}

// column implements xColumn.
func column(tls *libc.TLS, p, to uintptr, k int32) int32 {
	c := cursorOf(p)
	if int(k) < c.t.own {
		if k == 0 {
			lib.Xsqlite3_result_int64(tls, to, int64(c.now.source+1))
		} else {
			giveText(tls, to, c.t.db.sources[c.now.source].Name)
		}
		return lib.SQLITE_OK
	}
	i := int(k) - c.t.own
	v := &c.now.values[c.at[i]]
	switch kind := c.t.Columns[i].Kind; {
	case len(v.nulls) > 0 && v.nulls[c.row]:
		lib.Xsqlite3_result_null(tls, to)
	case kind == convert.Int:
		lib.Xsqlite3_result_int64(tls, to, v.ints[c.row])
	case kind == convert.Float:
		lib.Xsqlite3_result_double(tls, to, v.floats[c.row])
	case v.fixed:
		giveText(tls, to, v.texts[0])
	default:
		giveText(tls, to, v.texts[c.row])
	}
	return lib.SQLITE_OK
}

// giveText gives SQLite a text, which it copies.
func giveText(tls *libc.TLS, to uintptr, text string) {
	if text == "" {
		text = " "[:0] // has an address
	}
	bytes, n := uintptr(unsafe.Pointer(unsafe.StringData(text))), int32(min(len(text), math.MaxInt32))
	lib.Xsqlite3_result_text(tls, to, bytes, n, lib.SQLITE_TRANSIENT)
	runtime.KeepAlive(text)
}
