"""The `audit` commands."""
