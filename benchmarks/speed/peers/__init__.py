"""Other libraries and vector stores on the same passages, vectors and questions as Footnotary."""
