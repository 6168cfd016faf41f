"""Checks of form: citations, markers, markup, leaks, injected instructions."""
