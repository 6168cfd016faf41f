"""The commands that measure: `eval`, `calibrate`, `conform`."""
