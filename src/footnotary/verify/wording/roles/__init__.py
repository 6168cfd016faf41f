"""Who acts on whom."""
