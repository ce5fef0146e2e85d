"""Entry point of ``python -m certify`` and of a packaged program; also runs worker tasks."""

import sys

if __name__ == "__main__":
    if getattr(sys, "frozen", False):
        import multiprocessing

        multiprocessing.freeze_support()

    from certify.worker import serve

    status = serve(sys.argv[1:])
    if status is not None:
        sys.exit(status)

    from certify.cli.app import main

    main()
