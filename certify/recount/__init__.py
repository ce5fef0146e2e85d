"""Verification count of wagers in plain Python, from the declared rules.

It imports only the standard library, nothing of certify, and ships unchanged in the laboratory kit.
"""
