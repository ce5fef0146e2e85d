"""Run the command line as ``python -m certify``, or as a packaged program."""

import sys

if __name__ == "__main__":
    if getattr(sys, "frozen", False):
        import multiprocessing

        from certify.worker import serve_packaged

        multiprocessing.freeze_support()
        status = serve_packaged(sys.argv[1:])
        if status is not None:
            sys.exit(status)

    from certify.cli.app import main

    main()
