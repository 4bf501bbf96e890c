package experiments

import (
	"fmt"
	"reflect"
)

// compareStructs says in which columns two rows differ; where names the row.
func compareStructs[T comparable](where string, stored, again T) []string {
	if stored == again {
		return nil
	}
	var list []string
	a, b := reflect.ValueOf(stored), reflect.ValueOf(again)
	for i := range a.NumField() {
		if x, y := a.Field(i).Interface(), b.Field(i).Interface(); x != y {
			list = append(list, fmt.Sprintf("%s: %s: %v stored, %v now", where, a.Type().Field(i).Tag.Get("col"), x, y))
		}
	}
	return list
}
