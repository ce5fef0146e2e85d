"""The words that the rooms share: frozen values, no behaviour beyond what a word means."""
