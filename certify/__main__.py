"""Run the command line as ``python -m certify``, or as a packaged program."""

import multiprocessing
import sys

from certify.worker import serve_packaged

if __name__ == "__main__":
    multiprocessing.freeze_support()
    status = serve_packaged(sys.argv[1:])
    if status is not None:
        sys.exit(status)

    from certify.cli.app import main

    main()
