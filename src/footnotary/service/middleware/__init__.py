"""What every request passes: headers, limits, load shedding, idempotency."""
