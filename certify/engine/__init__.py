"""Counts: features, events, returns, house ways and main wagers; the only caller of kernels."""
