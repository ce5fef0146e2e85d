"""From a game to its signed documents, and back again."""
