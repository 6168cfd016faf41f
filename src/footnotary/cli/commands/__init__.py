"""Every subcommand with its options. What a command does is imported when it runs, so that `--help` stays quick."""
