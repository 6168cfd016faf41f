"""What is kept of every outcome: a chained record, and a bundle that anyone can check."""
