"""Evaluation on labelled data, and calibration of the threshold that keeps a stated risk."""
