"""The command line: thin over the engine. Results go to standard output, everything else to standard error."""
