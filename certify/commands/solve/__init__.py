"""Search for pays that give a wanted return."""
