package binding_test

import (
	"strings"
	"testing"

	"github.com/codemode-go/codemode/binding"
)

// Eight levels of ten fields each are 10^8 paths to one type.
type (
	wide1[T any] struct{ A, B, C, D, E, F, G, H, I, J T }
	wide3[T any] wide1[wide1[wide1[T]]]
	badWide      wide3[chan int]
	badWider     struct{ A, B, C, D, E, F, G, H, I, J badWide }
	badWidest    struct{ A, B, C, D, E, F, G, H, I, J badWider }
	goodWide     struct{ A, B, C, D, E, F, G, H, I, J *wide3[int] }
	goodWider    struct{ A, B, C, D, E, F, G, H, I, J *goodWide }
	goodWidest   struct{ A, B, C, D, E, F, G, H, I, J *goodWider }
	goodAndVast  struct{ A, B, C, D, E, F, G, H, I, J []goodWidest }
)

func TestFaultsAreBounded(t *testing.T) {
	_, err := binding.CompileFor[none, badWidest]()
	if err == nil || strings.Count(err.Error(), "\n") > 100 {
		t.Errorf("got %v, want about a hundred faults", err)
	}
}

func TestEveryTypeIsCompiledOnce(t *testing.T) {
	// Path by path this would not end.
	if _, err := binding.CompileFor[none, goodAndVast](); err != nil {
		t.Error(err)
	}
}
