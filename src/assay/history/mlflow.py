"""`Tracking`: evaluations logged to a server of MLflow, by its documented REST API, version 2.0."""

import os
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Self

from assay.core.history import Recorded
from assay.errors import InputError, MissingExtraError, ParameterError
from assay.history.mlflow_runs import MEASURE
from assay.store.database import masked

if TYPE_CHECKING:
    from httpx import Client

ANSWER_S = 30
MOST_METRICS, MOST_OTHERS = 500, 100
"""How many the API takes at once, with room left."""
LONGEST = 5000
"""Characters of a tag that every server takes."""
KEY = 200
"""Characters of a name that every server takes, with room before it."""
REFUSED = re.compile(r"[^\w\-. ]", re.ASCII)
"""What the name of a metric or a tag may not hold; a slash may divide it, but not two in a row."""


class Tracking:
    """A server of MLflow. Runs go to the experiment that is called like the suite, which is made where there is none.

    Who asks is said by MLFLOW_TRACKING_TOKEN, or MLFLOW_TRACKING_USERNAME and MLFLOW_TRACKING_PASSWORD, as MLflow's
    own library has it.
    """

    def __init__(self, url: str, client: "Client") -> None:
        self._url, self._client = url, client

    @classmethod
    def open(cls, url: str) -> Self:
        """Return the server at an address.

        Raises
        ------
        ParameterError
            No address of a server: folders and databases of MLflow need its own library.
        MissingExtraError
            httpx is not installed.
        """
        if not url.startswith(("http://", "https://")):
            msg = f"{masked(url)}: expected http:// or https://, the address of an MLflow server, found another"
            raise ParameterError(msg, hint="mlflow server --backend-store-uri URI --port 5000 makes one of it.")
        try:
            import httpx
        except ImportError:
            raise MissingExtraError.of("logging to MLflow", "httpx", "history") from None
        token = os.environ.get("MLFLOW_TRACKING_TOKEN")
        user = os.environ.get("MLFLOW_TRACKING_USERNAME")
        auth = (user, os.environ.get("MLFLOW_TRACKING_PASSWORD", "")) if user and not token else None
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        base = f"{url.rstrip('/')}/api/2.0/mlflow"
        return cls(url, httpx.Client(base_url=base, headers=headers, auth=auth, timeout=ANSWER_S))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    def log(self, one: Recorded) -> str:
        """Log an evaluation; returns the id of its run.

        Metrics are the defined figures: those of a slice are called `MEASURE/SLICE`. A character that MLflow does not
        take becomes `_`, `@` becomes `_at_`, and a tag holds the name as it was.

        Raises
        ------
        InputError
            The server does not answer, or refuses.
        """
        time = int(one.time.timestamp() * 1000)
        tags = [{"key": key, "value": value[:LONGEST]} for key, value in _tags(one).items()]
        asked = {"experiment_id": self._experiment(one.suite), "run_name": one.name, "start_time": time}
        run = str(self._post("runs/create", asked | {"tags": tags[:MOST_OTHERS]})["run"]["info"]["run_id"])
        metrics = [
            {"key": key, "value": value, "timestamp": time, "step": 0} for key, (_, value) in _metrics(one).items()
        ]
        params = [{"key": _key(key), "value": str(value)[:500]} for key, value in one.made.policy.items()][:MOST_OTHERS]
        self._post("runs/log-batch", {"run_id": run, "params": params})
        for some in _parts(tags[MOST_OTHERS:], MOST_OTHERS):
            self._post("runs/log-batch", {"run_id": run, "tags": some})
        for some in _parts(metrics, MOST_METRICS):
            self._post("runs/log-batch", {"run_id": run, "metrics": some})
        self._post("runs/update", {"run_id": run, "status": "FINISHED", "end_time": time})
        return run

    def _experiment(self, name: str) -> str:
        found = self._get("experiments/get-by-name", {"experiment_name": name})
        if found is not None:
            return str(found["experiment"]["experiment_id"])
        return str(self._post("experiments/create", {"name": name})["experiment_id"])

    def _get(self, path: str, asked: Mapping[str, str]) -> Any:
        """Return what the server says; None where it knows no such thing."""
        return self._answer("GET", path, params=asked)

    def _post(self, path: str, told: Mapping[str, Any]) -> Any:
        found = self._answer("POST", path, json=told)
        if found is None:
            raise InputError(f"{masked(self._url)}: expected the API of MLflow, found no {path}")
        return found

    def _answer(self, method: str, path: str, **asked: Any) -> Any:
        import httpx

        try:
            answer = self._client.request(method, path, **asked)
            if answer.status_code == httpx.codes.NOT_FOUND:
                return None
            answer.raise_for_status()
            return answer.json()
        except httpx.HTTPStatusError as error:
            said = f"{error.response.status_code} {error.response.reason_phrase} {error.response.text[:200]}".strip()
        except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
            said = str(error) or type(error).__name__
        msg = f"{masked(self._url)}: expected MLflow to take an evaluation, found an error: {' '.join(said.split())}"
        raise InputError(msg, hint="the evaluation is in the store; only the server lacks it.")


def _metrics(one: Recorded) -> dict[str, tuple[str, float]]:
    """Return the defined figures by the names that MLflow takes, each with its own."""
    found: dict[str, tuple[str, float]] = {}
    for figure in one.figures:
        if figure.mean is not None:
            parts = [figure.measure, figure.slice] if figure.slice else [figure.measure]
            name, key = "/".join(parts), "/".join(map(_key, parts))[:KEY]
            while key in found:
                key += "_"
            found[key] = name, figure.mean
    return found


def _tags(one: Recorded) -> dict[str, str]:
    made = one.made
    known = {name: getattr(made, name) for name in ("task", "gold", "run", "corpus", "queries", "platform", "assay")}
    tags = {f"assay.{name}": value for name, value in known.items() if value}
    tags |= {f"{MEASURE}{key}": name for key, (name, _) in _metrics(one).items() if key != name}
    tags |= {"mlflow.source.git.commit": made.code} if made.code else {}
    tags |= {"mlflow.note.content": one.note} if one.note else {}
    return tags | {_key(name): value for name, value in made.tags.items()}


def _key(name: str) -> str:
    """Return a name as MLflow takes it."""
    return REFUSED.sub("_", name.replace("@", "_at_"))[:KEY]


def _parts(rows: list[dict[str, Any]], most: int) -> Iterator[list[dict[str, Any]]]:
    for start in range(0, len(rows), most):
        yield rows[start : start + most]
