"""Pages from templates, and the files beside them: all is read from the package, no path comes from a request."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.errors import MissingExtraError
from assay.report.amounts import percent

if TYPE_CHECKING:
    from jinja2 import Environment
    from starlette.requests import Request
    from starlette.responses import Response

KINDS = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
A_YEAR = "public, max-age=31536000, immutable"
HOME = Path(__file__).parent


@dataclass(frozen=True)
class Pages:
    """The templates and files in `folders`, those of `web` among them; a nearer folder comes first."""

    folders: Sequence[Path]

    @cached_property
    def files(self) -> Mapping[str, tuple[str, bytes]]:
        """Each file by its name: its kind and its content."""
        found = [one for folder in self._folders for one in sorted((folder / "static").iterdir())]
        return {one.name: (KINDS[one.suffix], one.read_bytes()) for one in found if one.suffix in KINDS}

    def render(self, name: str, values: Mapping[str, Any], status: int = 200) -> "Response":
        """Return a page made of a template; every value is escaped."""
        from starlette.responses import HTMLResponse

        return HTMLResponse(self._templates.get_template(name).render(values), status)

    def address(self, name: str) -> str:
        """Return where a file is found: with its digest, so that a browser may keep it."""
        return f"/static/{name}?{hashlib.sha256(self.files[name][1]).hexdigest()[:12]}"

    def file(self, request: "Request") -> "Response":
        """Answer with the file that a request names."""
        from starlette.exceptions import HTTPException
        from starlette.responses import Response

        found = self.files.get(request.path_params["name"])
        if found is None:
            raise HTTPException(404)
        kind, content = found
        return Response(content, media_type=kind, headers={"cache-control": A_YEAR})

    @property
    def _folders(self) -> Sequence[Path]:
        return (*self.folders, HOME)

    @cached_property
    def _templates(self) -> "Environment":
        try:
            from jinja2 import Environment, FileSystemLoader, StrictUndefined
        except ImportError:
            raise MissingExtraError.of("pages in a browser", "jinja2", "web") from None
        made = Environment(
            loader=FileSystemLoader([folder / "templates" for folder in self._folders]), autoescape=True,
            undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
        )  # fmt: skip
        made.globals.update(address=self.address, percent=percent)
        return made
