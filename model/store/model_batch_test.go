package store_test

import (
	"reflect"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
)

// Reset names the fields one by one: none may be forgotten.
func TestBatchReset(t *testing.T) {
	var b model.Batch
	v := reflect.ValueOf(&b).Elem()
	for i := range v.NumField() {
		switch f := v.Field(i); f.Kind() {
		case reflect.Slice:
			f.Set(reflect.MakeSlice(f.Type(), 3, 5))
		case reflect.Bool:
			f.SetBool(true)
		default:
			f.SetInt(7)
		}
	}
	b.Reset()
	for i := range v.NumField() {
		f, name := v.Field(i), v.Type().Field(i).Name
		if f.Kind() == reflect.Slice {
			testkit.That(t, f.Len() == 0 && f.Cap() == 5, "%s has %d of %d values", name, f.Len(), f.Cap())
		} else if !f.IsZero() {
			t.Errorf("%s is %v", name, f)
		}
	}
}
