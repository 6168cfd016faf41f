"""How the processor time of every path grows with twice the input."""
