"""Bonus wagers: returns, envy prizes, meters, dynamic pays, printed figures."""
