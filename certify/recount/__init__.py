"""The recount: every filed count made a second time, in plain Python, from the declared rules.

It imports the standard library and nothing of certify, and ships in the laboratory kit as it is.
"""
