"""Before anything is generated: what is asked, and whether the evidence can answer it."""
