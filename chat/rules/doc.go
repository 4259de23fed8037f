// Package rules decides, before a model is asked, what a turn is given beside the person's words, and when a pet speaks
// first (docs/rules.md). One TOML file holds the rules; the shipped ones hold where the person's
// file does not say otherwise. Engine says which rules fire, Gate whether it is a good moment. Both are pure: clock and
// facts are handed in, nothing here waits, draws or speaks. All of it may be called from any goroutine.
package rules
