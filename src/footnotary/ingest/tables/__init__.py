"""Table rows that can be read by themselves: every value with the heading of its column."""
