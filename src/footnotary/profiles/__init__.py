"""Policy as data: what counts as good enough, how it is said, and what is said when it is not."""
