"""The command line: a thin layer over the engine. Results go to standard output, the rest to standard error."""
