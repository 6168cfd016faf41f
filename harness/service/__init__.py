"""A service to talk to: listening sockets, scripted models, mutated requests."""
