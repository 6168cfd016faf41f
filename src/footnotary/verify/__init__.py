"""The checks a draft must pass: small functions from a submission to a verdict, each with its reason."""
