"""The recount: a second count of wagers in plain Python, from the declared rules.

It imports the standard library and nothing of certify, and ships in the laboratory kit as it is.
"""
