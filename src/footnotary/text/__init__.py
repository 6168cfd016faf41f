"""Pure functions on strings: places, sentences, words, figures, languages and the one citation grammar."""
