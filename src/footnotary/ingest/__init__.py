"""From a file to citable passages: sniff, parse, clean, recover the structure, split into chunks, assign ids."""
