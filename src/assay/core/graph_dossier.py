"""`GraphDossier`: all that is known of a graph and of the questions that it answers, for one page."""

from dataclasses import dataclass

from assay.core.accuracy import Accuracy
from assay.core.answers_evaluation import AnswersEvaluation
from assay.core.completeness import Completeness
from assay.core.gaps import Gaps
from assay.core.suite_health import SuiteHealth
from assay.core.suspects import Suspects
from assay.core.validity import Validity


@dataclass(frozen=True, slots=True, eq=False)
class GraphDossier:
    """What was measured of a graph; what was not is None, and leaves its part of the page out."""

    graph: str
    answers: AnswersEvaluation | None = None
    health: SuiteHealth | None = None
    completeness: Completeness | None = None
    validity: Validity | None = None
    suspects: Suspects | None = None
    accuracy: Accuracy | None = None
    gaps: Gaps | None = None
    notices: tuple[str, ...] = ()
