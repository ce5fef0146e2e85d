"""Who signs: people with a key in a file or on a token, and whom this user trusts."""
