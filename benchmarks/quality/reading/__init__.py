"""How well the readers read: answerability on held-out rows, and probes for shortcuts."""
