"""Figures: what a filing's records come to, counted once and kept."""
