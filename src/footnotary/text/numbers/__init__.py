"""Numbers in words and digits, with units and bounds."""
