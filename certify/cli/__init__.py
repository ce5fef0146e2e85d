"""Talks: parse the command line, call the pipeline, print, exit."""
