"""The contract as a black-box test: scripted drafts that must not be delivered, and right ones that must be."""
