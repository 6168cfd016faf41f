"""The reader: one trained model asked whether passages support a claim, and whether they answer a question."""
