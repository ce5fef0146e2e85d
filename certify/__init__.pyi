from certify.api import audit as audit
from certify.api import check as check
from certify.api import compare as compare
from certify.api import crosscheck as crosscheck
from certify.api import diff as diff
from certify.api import evaluate as evaluate
from certify.api import events as events
from certify.api import explain as explain
from certify.api import games as games
from certify.api import monitor as monitor
from certify.api import reproduce as reproduce
from certify.api import solve as solve
from certify.api import strategy as strategy
from certify.api import submit as submit
from certify.api import verify as verify

__all__ = [
    "audit",
    "check",
    "compare",
    "crosscheck",
    "diff",
    "evaluate",
    "events",
    "explain",
    "games",
    "monitor",
    "reproduce",
    "solve",
    "strategy",
    "submit",
    "verify",
]
TASK: str
__version__: str
