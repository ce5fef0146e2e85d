"""Best play of a player who sees only the own cards."""
