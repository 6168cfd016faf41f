"""Fakes and conformance suites: they ship with the package so that other implementations can be held to them."""
