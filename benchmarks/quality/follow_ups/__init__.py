"""Follow-up questions of conversations: how many are asked as what they mean."""
