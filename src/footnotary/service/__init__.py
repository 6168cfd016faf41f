"""The HTTP service: one process, many tenants, nothing delivered that was not verified and recorded."""
