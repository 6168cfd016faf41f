"""Bootstrap intervals and ranking metrics."""
