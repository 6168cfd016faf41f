"""Pure functions on strings: offsets, sentences, words, figures, languages and the citation grammar."""
