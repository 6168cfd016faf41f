"""Injected instructions, harmless look-alikes, and trials of them in documents."""
