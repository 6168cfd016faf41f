"""The audit trail: a hash-chained record of every outcome, and an evidence bundle that anyone can verify."""
