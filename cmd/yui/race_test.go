//go:build race

package main_test

// underRace makes the tests build yui with the race detector, too.
const underRace = true
