"""Counts: features, events, returns, house ways and base games; the only caller of kernels."""
