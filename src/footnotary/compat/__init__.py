"""The seeds' interfaces, thin over the engine; `footnotary.contracts` is their public name."""
