"""The server: loopback and a port that the system chooses, until somebody or idleness stops it."""

import contextlib
import signal
import socket
import threading
import time
import webbrowser
from collections.abc import Callable

import uvicorn

from certify.desk.app import application
from certify.desk.state import Desk
from certify.errors import CertifyError, NotConfigured
from certify.pipeline.figures.overview import overview

LOOPBACK = "127.0.0.1"
LOOK_AGAIN = 2
"""Seconds between two looks whether anybody is still there."""


def serve(
    *, port: int = 0, idle_minutes: int, open_browser: bool, say: Callable[[str], None]
) -> None:
    """Answer on loopback until the desk is stopped.

    Args:
        port: the port; 0 lets the system choose.
        idle_minutes: after how many minutes without a request it stops; 0 never.
        open_browser: whether the browser is opened at its address.
        say: prints a line.

    Raises:
        NotConfigured: the port is taken.
    """
    listening = _listen(port)
    server, desk = prepare(listening)
    try:
        _answer(server, desk, listening, idle_minutes, open_browser=open_browser, say=say)
    finally:
        desk.jobs.end()
    say("The desk is closed.")


def _answer(
    server: uvicorn.Server,
    desk: Desk,
    listening: socket.socket,
    idle_minutes: int,
    *,
    open_browser: bool,
    say: Callable[[str], None],
) -> None:
    """Answer until a signal, the button or idleness ends it."""
    say(f"The desk is open at {desk.address}")
    say("The address lets one browser in, once. Stop with Ctrl-C, or with the button on the page.")
    if idle_minutes:
        watch = threading.Thread(target=_watch, args=(desk, idle_minutes * 60), daemon=True)
        watch.start()
    threading.Thread(target=_warm, daemon=True).start()
    if open_browser:
        webbrowser.open(desk.address)
    # From here on a signal sets a flag: an exception would break the event loop, or the ending.
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), lambda *_: desk.stop())
    server.run(sockets=[listening])


def prepare(listening: socket.socket) -> tuple[uvicorn.Server, Desk]:
    """Return a server for a socket that listens, and its desk."""
    desk = Desk(port=listening.getsockname()[1])
    server = uvicorn.Server(
        uvicorn.Config(
            application(desk),
            log_level="warning",
            access_log=False,
            server_header=False,
            lifespan="off",
            ws="none",
            timeout_graceful_shutdown=3,
        )
    )

    def stop() -> None:
        server.should_exit = True

    desk.stop = stop
    return server, desk


def _listen(port: int) -> socket.socket:
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listening.bind((LOOPBACK, port))
        listening.listen()
    except (OSError, OverflowError) as error:
        listening.close()
        raise NotConfigured(
            f"The port {port} cannot be used: {error}.", remedy="Leave --port out."
        ) from error
    return listening


def _warm() -> None:
    """Read what is declared and count what is counted at once, before anybody asks for it."""
    with contextlib.suppress(CertifyError):
        overview()


def _watch(desk: Desk, seconds: int) -> None:
    """Stop a desk that nobody has asked anything for so long."""
    while desk.idle() < seconds:
        time.sleep(LOOK_AGAIN)
    desk.stop()
