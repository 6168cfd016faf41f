"""Acts and regulations."""
