package main

import (
	"context"
	"database/sql"
	_ "embed"
	"fmt"
	"strconv"
	"strings"

	_ "github.com/ncruces/go-sqlite3/driver" // pure Go: no cgo, so the binary stays static
)

//go:embed data/iso3166.tab
var countryTable string

//go:embed data/zone1970.tab
var zoneTable string

const schema = `
CREATE TABLE IF NOT EXISTS countries (code TEXT PRIMARY KEY, name TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS zones (name TEXT PRIMARY KEY, latitude REAL NOT NULL, longitude REAL NOT NULL, comment TEXT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS country_zones (
	country TEXT NOT NULL REFERENCES countries, zone TEXT NOT NULL REFERENCES zones, PRIMARY KEY (country, zone)
) WITHOUT ROWID;`

// openDatabase opens the database of a file and fills it when it is new.
func openDatabase(ctx context.Context, path string) (*sql.DB, error) {
	db, err := sql.Open("sqlite3", "file:"+path+"?_pragma=busy_timeout(1000)&_pragma=foreign_keys(1)")
	if err != nil {
		return nil, err
	}
	if err := fill(ctx, db); err != nil {
		db.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return db, nil
}

func fill(ctx context.Context, db *sql.DB) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, schema); err != nil {
		return err
	}
	var filled bool
	if err := tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT * FROM zones)`).Scan(&filled); err != nil || filled {
		return err
	}
	for row := range rows(countryTable) {
		if _, err := tx.ExecContext(ctx, `INSERT INTO countries VALUES (?, ?)`, row[0], row[1]); err != nil {
			return err
		}
	}
	for row := range rows(zoneTable) {
		if err := insertZone(ctx, tx, row); err != nil {
			return fmt.Errorf("zone %s: %w", row[2], err)
		}
	}
	return tx.Commit()
}

func insertZone(ctx context.Context, tx *sql.Tx, row []string) error {
	latitude, longitude, err := parsePlace(row[1])
	if err != nil {
		return err
	}
	var comment any
	if len(row) > 3 {
		comment = row[3]
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO zones VALUES (?, ?, ?, ?)`, row[2], latitude, longitude, comment); err != nil {
		return err
	}
	for country := range strings.SplitSeq(row[0], ",") {
		if _, err := tx.ExecContext(ctx, `INSERT INTO country_zones VALUES (?, ?)`, country, row[2]); err != nil {
			return err
		}
	}
	return nil
}

// rows yields the fields of each line that is no comment.
func rows(table string) func(yield func([]string) bool) {
	return func(yield func([]string) bool) {
		for line := range strings.Lines(table) {
			if strings.HasPrefix(line, "#") {
				continue
			}
			if !yield(strings.Split(strings.TrimSuffix(line, "\n"), "\t")) {
				return
			}
		}
	}
}

// parsePlace reads ISO 6709: +DDMM+DDDMM or +DDMMSS+DDDMMSS.
func parsePlace(text string) (latitude, longitude float64, err error) {
	second := strings.LastIndexAny(text, "+-")
	if second <= 0 {
		return 0, 0, fmt.Errorf("got place %q, want latitude and longitude", text)
	}
	if latitude, err = parseDegrees(text[:second], 2); err != nil {
		return 0, 0, err
	}
	longitude, err = parseDegrees(text[second:], 3)
	return latitude, longitude, err
}

func parseDegrees(text string, digits int) (float64, error) {
	sign, rest := 1.0, text[1:]
	if text[0] == '-' {
		sign = -1
	}
	if len(rest) != digits+2 && len(rest) != digits+4 {
		return 0, fmt.Errorf("got angle %q, want %d digits of degrees, and minutes", text, digits)
	}
	degrees, unit := 0.0, 1.0
	for _, part := range []string{rest[:digits], rest[digits : digits+2], rest[digits+2:]} {
		if part == "" {
			continue
		}
		n, err := strconv.Atoi(part)
		if err != nil {
			return 0, fmt.Errorf("angle %q: %w", text, err)
		}
		degrees += float64(n) * unit
		unit /= 60
	}
	return sign * degrees, nil
}
