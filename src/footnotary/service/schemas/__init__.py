"""What requests and responses are made of."""
