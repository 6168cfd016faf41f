"""A live service whose every sent byte is recorded."""
