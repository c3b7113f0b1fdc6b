package main

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	"github.com/codemode-go/codemode/authz"
	"github.com/codemode-go/codemode/codemode"
)

type (
	countriesInput struct {
		Name *string `json:"name,omitempty"`
	}
	countriesOutput struct {
		Countries []country `json:"countries"`
	}
	country struct {
		Code  string `json:"code"`
		Name  string `json:"name"`
		Zones int64  `json:"zones"`
	}
	zonesInput struct {
		Country *string `json:"country,omitempty"`
		After   *string `json:"after,omitempty"`
		Limit   *int64  `json:"limit,omitempty"`
	}
	zonesOutput struct {
		Zones []zone  `json:"zones"`
		Next  *string `json:"next"`
	}
	zone struct {
		Name      string   `json:"name"`
		Latitude  float64  `json:"latitude"`
		Longitude float64  `json:"longitude"`
		Comment   *string  `json:"comment"`
		Countries []string `json:"countries"`
	}
	nearestInput struct {
		Latitude  float64 `json:"latitude"`
		Longitude float64 `json:"longitude"`
		Limit     *int64  `json:"limit,omitempty"`
	}
	nearestOutput struct {
		Zones []nearZone `json:"zones"`
	}
	nearZone struct {
		Name       string  `json:"name"`
		Kilometres float64 `json:"kilometres"`
	}
)

// A store answers from the database. The context of a call ends its query when
// the program is over.
type store struct{ db *sql.DB }

func (s store) countries(ctx context.Context, _ authz.Subject, in countriesInput) (countriesOutput, error) {
	out := countriesOutput{Countries: []country{}}
	err := s.each(ctx, `
		SELECT code, name, (SELECT count(*) FROM country_zones WHERE country = code)
		FROM countries WHERE ?1 IS NULL OR instr(lower(name), lower(?1)) ORDER BY code`,
		func(row *sql.Rows) error {
			var c country
			err := row.Scan(&c.Code, &c.Name, &c.Zones)
			out.Countries = append(out.Countries, c)
			return err
		}, in.Name)
	return out, err
}

func (s store) zones(ctx context.Context, _ authz.Subject, in zonesInput) (zonesOutput, error) {
	limit, err := bounded(in.Limit, 100, 500)
	if err != nil {
		return zonesOutput{}, err
	}
	// One row more than asked for tells whether there is a next page. A page
	// begins after a name, so rows that come or go do not shift it.
	out := zonesOutput{Zones: []zone{}}
	err = s.each(ctx, `
		SELECT name, latitude, longitude, comment,
			(SELECT group_concat(country, ' ' ORDER BY country) FROM country_zones WHERE zone = name)
		FROM zones
		WHERE (?1 IS NULL OR name IN (SELECT zone FROM country_zones WHERE country = ?1)) AND name > ifnull(?2, '')
		ORDER BY name LIMIT ?3`,
		func(row *sql.Rows) error {
			var z zone
			var countries string
			err := row.Scan(&z.Name, &z.Latitude, &z.Longitude, &z.Comment, &countries)
			z.Countries = strings.Fields(countries)
			out.Zones = append(out.Zones, z)
			return err
		}, in.Country, in.After, limit+1)
	if int64(len(out.Zones)) > limit {
		out.Zones = out.Zones[:limit]
		out.Next = &out.Zones[limit-1].Name
	}
	return out, err
}

func (s store) nearest(ctx context.Context, _ authz.Subject, in nearestInput) (nearestOutput, error) {
	limit, err := bounded(in.Limit, 3, 50)
	if err != nil {
		return nearestOutput{}, err
	}
	out := nearestOutput{Zones: []nearZone{}}
	err = s.each(ctx, `
		SELECT name, round(12742 * asin(min(1, sqrt(
			pow(sin(radians(latitude - ?1) / 2), 2) +
			cos(radians(?1)) * cos(radians(latitude)) * pow(sin(radians(longitude - ?2) / 2), 2)))), 1) AS kilometres
		FROM zones ORDER BY kilometres, name LIMIT ?3`,
		func(row *sql.Rows) error {
			var z nearZone
			err := row.Scan(&z.Name, &z.Kilometres)
			out.Zones = append(out.Zones, z)
			return err
		}, in.Latitude, in.Longitude, limit)
	return out, err
}

// each calls scan for every row of a query.
func (s store) each(ctx context.Context, query string, scan func(*sql.Rows) error, arguments ...any) error {
	rows, err := s.db.QueryContext(ctx, query, arguments...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

func bounded(limit *int64, standard, most int64) (int64, error) {
	switch {
	case limit == nil:
		return standard, nil
	case *limit < 1 || *limit > most:
		return 0, errors.New("limit out of range")
	default:
		return *limit, nil
	}
}

func (s store) register(b *codemode.Builder) {
	codemode.Register(b, codemode.Capability[countriesInput, countriesOutput]{
		Name: "geo.countries", Summary: "List countries with the number of their time zones.",
		Description: "List countries by code with the number of their time zones, optionally only those whose name contains name, case ignored.",
		SearchTerms: []string{"find country code by name", "ISO 3166 nations regions"},
		Effect:      codemode.EffectReadOnly, Handler: s.countries,
	})
	codemode.Register(b, codemode.Capability[zonesInput, zonesOutput]{
		Name: "geo.zones", Summary: "List time zones, of all countries or of one.",
		Description: "List time zones by name, each with the coordinates of its principal place in degrees.\n\n" +
			"country: a code of two letters, as geo.countries returns them. limit: 1 to 500, default 100. " +
			"next is None on the last page; otherwise call again with after=next.",
		SearchTerms: []string{"timezones of a country", "tz database", "latitude longitude of a zone"},
		Effect:      codemode.EffectReadOnly, Handler: s.zones,
	})
	codemode.Register(b, codemode.Capability[nearestInput, nearestOutput]{
		Name: "geo.nearest", Summary: "Find the time zones whose principal place is nearest to a point.",
		Description: "Find the zones nearest to a point given in degrees, with the distance along a great circle. limit: 1 to 50, default 3.",
		SearchTerms: []string{"distance kilometres from coordinates", "closest zone"},
		Effect:      codemode.EffectReadOnly, Handler: s.nearest,
	})
}
