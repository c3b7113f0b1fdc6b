// Package docs is the documentation: guides, reference, decisions, and examples
// that compile and run. README.md is where to begin reading.
//
// It holds no code to import. Its tests keep the pages true: they follow the
// tutorial in an empty folder, run the programs of the cookbook, and look for
// links that lead nowhere, flags that do not exist and tests that are gone.
package docs
