"""One hand or one round, with the reasons."""
