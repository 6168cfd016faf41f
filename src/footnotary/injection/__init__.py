"""Rules and a linear classifier for injected instructions in sentences."""
