"""May, must, should and shall not."""
