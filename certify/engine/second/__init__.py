"""Second opinions: the plain sum, the walk, simulation."""
