from certify.api import check as check
from certify.api import evaluate as evaluate
from certify.api import explain as explain
from certify.api import submit as submit
from certify.api import verify as verify

__all__ = ["check", "evaluate", "explain", "submit", "verify"]
TASK: str
__version__: str
