"""What scale costs: first passes side by side, and stores as they grow."""
