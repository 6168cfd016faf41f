"""Black-box conformance tests of the contract: bad scripted drafts must be rejected, correct ones delivered."""
