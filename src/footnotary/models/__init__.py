"""The trained weights at work: encoders that turn text into vectors, judges that say whether text supports text."""
