"""The page as text: template, style, script, data and the chart library in one file."""

import base64
import hashlib
import json
import math
from functools import cache
from importlib.resources import files
from typing import Any

from assay.core.dossier import Dossier
from assay.errors import MissingExtraError
from assay.report.html.page import lay_out
from assay.report.html.views import Page

WHAT = "the HTML report"
EXTRA = "report"
VEGA_LITE = "6.4"
UNSAFE = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
"""Characters that could end a script element early, as JSON may write them too."""


def render(dossier: Dossier, *, short: bool = False) -> str:
    """Return one HTML page that needs no network and works from a file.

    Parameters
    ----------
    dossier
        What is known about the runs; each part that is missing leaves its section out.
    short
        Whether only verdict, measures, curves and notices are wanted.

    Raises
    ------
    MissingExtraError
        Altair, Jinja or vl-convert is not installed: `pip install 'assay[report]'`.
    """
    return written(lay_out(dossier, short=short))


def written(page: Page) -> str:
    """Return a page as one text: every part of it is inside, and only its own scripts may run.

    Raises
    ------
    MissingExtraError
        As for `render`.
    """
    bundle = library() if page.charts or page.explorer else ""
    script = "".join(map(_file, ("page.js", "sorting.js", "queries.js", "explained.js")))
    template = _environment().get_template("page.html.jinja")
    return str(
        template.render(
            page=page, style=_file("style.css"), bundle=bundle, script=script, data=embedded(_data(page)),
            hashes=[_hash(text) for text in (bundle, script) if text],
        )
    )  # fmt: skip


def embedded(document: Any) -> str:
    r"""Return JSON that can stand inside a script element.

    >>> embedded({"q": "</script>"})
    '{"q":"\\u003c/script\\u003e"}'
    """
    try:
        text = json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except ValueError:
        return embedded(_finite(document))
    for char, written in UNSAFE.items():
        text = text.replace(char, written)
    return text


def _finite(document: Any) -> Any:
    """Return the same data, null for what is infinite."""
    if isinstance(document, dict):
        return {key: _finite(value) for key, value in document.items()}
    if isinstance(document, list | tuple):
        return [_finite(value) for value in document]
    return None if isinstance(document, float) and not math.isfinite(document) else document


@cache
def library() -> str:
    """Return the JavaScript that draws Vega-Lite, which sets `vegaEmbed`; it loads nothing.

    Raises
    ------
    MissingExtraError
        vl-convert is not installed.
    """
    try:
        from vl_convert import javascript_bundle
    except ImportError:
        raise MissingExtraError.of(WHAT, "vl-convert-python", EXTRA) from None
    text = javascript_bundle("window.vegaEmbed = vegaEmbed;", vl_version=VEGA_LITE)
    return (
        text.replace("\r\n", "\n")
        .replace("<!--", "<\\!--")
        .replace("<script", "<\\script")
        .replace("</script", "<\\/script")
    )


def _data(page: Page) -> dict[str, Any]:
    explorer = page.explorer
    found: dict[str, Any] = {"runs": page.runs, "coloured": page.coloured, "charts": page.charts, "explorer": None}
    if explorer is not None:
        found["explorer"] = explorer.data | {"spec": explorer.spec, "slope": explorer.slope}
    return found


@cache
def _environment() -> Any:
    try:
        from jinja2 import Environment, PackageLoader, StrictUndefined
    except ImportError:
        raise MissingExtraError.of(WHAT, "jinja2", EXTRA) from None
    return Environment(
        loader=PackageLoader("assay.report.html"), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True,
    )  # fmt: skip


def _file(name: str) -> str:
    return files("assay.report.html").joinpath(name).read_text(encoding="utf-8").replace("\r\n", "\n")


def _hash(script: str) -> str:
    """Return what the content security policy calls a script by."""
    digest = hashlib.sha256(script.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
