"""Checks a built site: every link and anchor leads somewhere, and no page needs the network."""

import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "link": "href"}
"""What a browser fetches by itself, and by which attribute."""

FETCHED_BY_STYLE = re.compile(r"""(?:url\(\s*['"]?|@import\s+['"])(https?:[^'")]+)""")


class _Parts(HTMLParser):
    """The anchors of a page, what it links to, and what it loads."""

    def __init__(self) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.loads: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take down one element."""
        given = {name: value or "" for name, value in attrs}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and given.get("href"):
            self.links.append(given["href"])
        if tag in LOADED and given.get(LOADED[tag]) and given.get("rel") not in {"canonical", "prev", "next"}:
            self.loads.append(given[LOADED[tag]])


def faults(site: Path) -> list[str]:
    """Return a sentence for each link that leads nowhere and each thing that the network would have to bring."""
    parsed = {path: _parse(path) for path in sorted(site.rglob("*.html"))}
    found = []
    for path, parts in parsed.items():
        name = path.relative_to(site).as_posix()
        asked = [*parts.links, *parts.loads]
        found += [f"{name}: needs the network: {one}" for one in parts.loads if urlsplit(one).netloc]
        found += [f"{name}: leads nowhere: {one}" for one in asked if not _leads(one, path, parsed)]
    for path in sorted(site.rglob("*.css")):
        name = path.relative_to(site).as_posix()
        found += [f"{name}: needs the network: {one}" for one in FETCHED_BY_STYLE.findall(_text(path))]
    return list(dict.fromkeys(found))


def _parse(path: Path) -> _Parts:
    parts = _Parts()
    parts.feed(_text(path))
    return parts


def _text(path: Path) -> str:
    return path.read_text("utf-8", errors="replace")


def _leads(address: str, page: Path, parsed: dict[Path, _Parts]) -> bool:
    """Tell whether an address within the site exists; one outside it is not asked."""
    parts = urlsplit(address)
    if parts.scheme or parts.netloc or address.startswith("/"):
        return not address.startswith("/") or page.name == "404.html"
    target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
    if target.is_dir():
        target /= "index.html"
    anchor = unquote(parts.fragment)
    if target in parsed:
        return not anchor or anchor.startswith("__") or anchor in parsed[target].anchors
    return target.is_file()
