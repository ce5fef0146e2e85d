"""Evaluation of many variants of a paytable."""
