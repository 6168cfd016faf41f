"""Parsers by media type: each turns a file into lines of cleaned text with their offsets."""
