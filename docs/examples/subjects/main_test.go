package main

import (
	"testing"

	"github.com/codemode-go/codemode/docs/internal/hosttest"
)

func TestMain(m *testing.M) { hosttest.Main(m, main) }

func TestSubjectsSeeTheirOwn(t *testing.T) {
	ada := hosttest.Start(t, "-as", "ada")
	ada.Returns(t, `def main(): return [n["id"] for n in notes.list()["notes"]]`, `[2, 3]`)
	ada.Returns(t, `
def main():
    added = notes.add(text="Read Menabrea.")["note"]["id"]
    gone = [notes.delete(id=i)["deleted"] for i in [2, 2, 1, added]]
    return {"gone": gone, "left": [n["text"] for n in notes.list()["notes"]]}
`, `{"gone": [true, false, false, true], "left": ["The engine weaves algebraic patterns."]}`)
}

func TestGuestsAreHeldBack(t *testing.T) {
	guest := hosttest.Start(t)
	guest.Fails(t, `def main(): return notes.delete(id=1)`, "permission denied")
	guest.Returns(t, `def main(): return notes.add(text="x" * 100)["note"]["id"]`, `4`)
	guest.Fails(t, `def main(): return notes.add(text="x" * 101)`, "permission denied")
	guest.Fails(t, `def main(): return notes.add(text="")`, "capability failed")
}
