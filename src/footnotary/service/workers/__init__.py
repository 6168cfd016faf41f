"""Several worker processes behind one socket: the supervisor, and what the workers share."""
