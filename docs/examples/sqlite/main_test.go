package main

import (
	"path/filepath"
	"testing"

	"github.com/codemode-go/codemode/docs/internal/hosttest"
)

func TestMain(m *testing.M) { hosttest.Main(m, main) }

func TestDatabase(t *testing.T) {
	path := filepath.Join(t.TempDir(), "zones.db")
	for _, state := range []string{"new", "filled"} {
		t.Run(state, func(t *testing.T) {
			host := hosttest.Start(t, "-db", path)
			host.Finds(t, "timezones of a country", "geo.zones")
			host.Returns(t, `
def main():
    codes = [c["code"] for c in geo.countries(name="SWITZ")["countries"]]
    return {c: [z["name"] for z in geo.zones(country=c)["zones"]] for c in codes}
`, `{"CH": ["Europe/Zurich"]}`)
			host.Returns(t, `def main(): return geo.nearest(latitude=46.95, longitude=7.45, limit=1)["zones"][0]["name"]`, `"Europe/Zurich"`)
		})
	}
}

// All pages together hold every zone once, and agree with the counts of the
// countries.
func TestPagesAreComplete(t *testing.T) {
	host := hosttest.Start(t, "-db", filepath.Join(t.TempDir(), "zones.db"))
	host.Returns(t, `
def main():
    names, by_country, after = [], {}, None
    for _ in range(20):
        page = geo.zones(after=after, limit=50)
        for zone in page["zones"]:
            names.append(zone["name"])
            for code in zone["countries"]:
                by_country[code] = by_country.get(code, 0) + 1
        after = page["next"]
        if after == None:
            break
    wrong = [c["code"] for c in geo.countries()["countries"] if c["zones"] != by_country.get(c["code"], 0)]
    return {"sorted": names == sorted(names), "wrong": wrong, "enough": len(names) > 300}
`, `{"sorted": true, "wrong": [], "enough": true}`)
	host.Fails(t, `def main(): return geo.zones(limit=501)`, "capability failed")
}

func TestPlaces(t *testing.T) {
	for text, want := range map[string][2]float64{
		"+4723+00832":     {47 + 23.0/60, 8 + 32.0/60},
		"-3436-05827":     {-34 - 36.0/60, -58 - 27.0/60},
		"+513030-0000731": {51 + 30.0/60 + 30.0/3600, -7.0/60 - 31.0/3600},
	} {
		latitude, longitude, err := parsePlace(text)
		if got := [2]float64{latitude, longitude}; err != nil || got != want {
			t.Errorf("%s: got %v, %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "+4723", "+47+008", "+47x3+00832"} {
		if _, _, err := parsePlace(text); err == nil {
			t.Errorf("%q: got no error", text)
		}
	}
}
