"""Run the command line as ``python -m certify``."""

from certify.cli.app import main

main()
