"""What tests, benchmarks and training share: attacks, random drafts, scripted services and a second checker."""
