"""The web app as tests start it: ``python -m tests.desk.program desk``.

It and its jobs print each document once for all tests, and read signatures without a child.
"""

from certify.__main__ import main
from certify.printing import print_pdf
from certify.signatures import verify
from tests.in_process import print_once, read_within

# A job is a process of its own, which imports this module before it begins.
vars(print_pdf)["run"] = print_once
vars(verify)["run"] = read_within

if __name__ == "__main__":
    main()
