"""The threshold that keeps a stated risk, and the profile that states it."""
