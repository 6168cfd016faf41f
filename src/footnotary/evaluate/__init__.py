"""Measuring the product on labelled rows, and choosing the threshold that keeps a stated risk."""
