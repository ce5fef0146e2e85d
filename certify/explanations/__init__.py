"""Explanations: one hand or one round, with the reasons, and worked examples."""
