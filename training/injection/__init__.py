"""Training of the injection classifiers."""
