package main

import (
	"reflect"
	"strings"
	"testing"
)

func TestQuote(t *testing.T) {
	for _, test := range []struct {
		order order
		want  map[string]any
	}{
		{order{"CH", []line{{"desk", 1}, {"lamp", 2}}}, map[string]any{"by": "carrier", "price": 70.0, "fragile": true}},
		{order{"DE", []line{{"cable", 20}}}, map[string]any{"by": "post", "price": 5.0, "fragile": false}},
	} {
		got, err := quote(t.Context(), test.order)
		if err != nil || !reflect.DeepEqual(got, any(test.want)) {
			t.Errorf("got %v, %v, want %v", got, err, test.want)
		}
	}
}

func TestUnknownArticle(t *testing.T) {
	_, err := quote(t.Context(), order{"CH", []line{{"bed", 1}}})
	if err == nil || !strings.Contains(err.Error(), `no article "bed"`) {
		t.Errorf("got %v, want the words of weigh", err)
	}
}
