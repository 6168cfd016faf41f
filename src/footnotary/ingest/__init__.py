"""From a file to citable passages: sniff, parse, clean, recover the structure, cut, name."""
