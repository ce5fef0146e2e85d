from certify.api import audit as audit
from certify.api import check as check
from certify.api import compare as compare
from certify.api import crosscheck as crosscheck
from certify.api import diff as diff
from certify.api import evaluate as evaluate
from certify.api import events as events
from certify.api import explain as explain
from certify.api import games as games
from certify.api import import_paytables as import_paytables
from certify.api import monitor as monitor
from certify.api import reproduce as reproduce
from certify.api import solve as solve
from certify.api import strategy as strategy
from certify.api import submit as submit
from certify.api import verify as verify
from certify.commands.compare import CountsResult as CountsResult
from certify.commands.compare import HouseWaysResult as HouseWaysResult
from certify.commands.diff import DiffResult as DiffResult
from certify.commands.evaluate import Evaluation as Evaluation
from certify.commands.evaluate import GameList as GameList
from certify.commands.evaluate import Strategies as Strategies
from certify.commands.events import Vocabulary as Vocabulary
from certify.commands.explain import Explained as Explained
from certify.commands.imports.records import ImportResult as ImportResult
from certify.commands.monitor import MonitorResult as MonitorResult
from certify.commands.reproduce.reproduce import Reproduction as Reproduction
from certify.commands.solve.solve import Solutions as Solutions
from certify.commands.submit import WrittenSubmission as WrittenSubmission
from certify.figures.audit import Audit as Audit
from certify.figures.crosscheck import CrosscheckResult as CrosscheckResult
from certify.filing.verdict import JudgedFiles as JudgedFiles
from certify.model.analysis import Analysis as Analysis
from certify.model.finding import Finding as Finding
from certify.review.report import CheckResult as CheckResult

__all__ = [
    "Analysis",
    "Audit",
    "CheckResult",
    "CountsResult",
    "CrosscheckResult",
    "DiffResult",
    "Evaluation",
    "Explained",
    "Finding",
    "GameList",
    "HouseWaysResult",
    "ImportResult",
    "JudgedFiles",
    "MonitorResult",
    "Reproduction",
    "Solutions",
    "Strategies",
    "Vocabulary",
    "WrittenSubmission",
    "audit",
    "check",
    "compare",
    "crosscheck",
    "diff",
    "evaluate",
    "events",
    "explain",
    "games",
    "import_paytables",
    "monitor",
    "reproduce",
    "solve",
    "strategy",
    "submit",
    "verify",
]
TASK: str
TYPES: dict[str, str]
__version__: str
