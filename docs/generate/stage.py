"""Lays out all pages of the site below one folder: those that people wrote, those they link to, and the reference."""

import json
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path

from docs.generate import reference

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
CONFIG = DOCS / "zensical.toml"
PARTS = (("tutorials", "Tutorials"), ("how-to", "How to"), ("reference", "Reference"), ("explanation", "Explanation"))
FENCED = re.compile(r"(^```.*?^```$)", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(([^)\s]+)\)")
FORMULA = re.compile(r"\$\$(.+?)\$\$", re.DOTALL)
TITLE = re.compile(r"^# (.+)$", re.MULTILINE)


def pages() -> dict[str, str]:
    """Return the Markdown of every page by its path: what people wrote, what it links to, and the reference."""
    found = {path.relative_to(DOCS).as_posix(): path for path in DOCS.rglob("*.md")}
    written: dict[str, str] = {}
    while found:
        name, path = found.popitem()
        written[name] = _linked(path, name, found, written)
    return written | {path: page.text for path, page in reference.pages().items()}


def lay_out(folder: Path, formula: Callable[[str], str]) -> None:
    """Write all pages, what they show, and the settings of the site below a folder."""
    shutil.rmtree(folder, ignore_errors=True)
    texts = pages()
    for name, text in texts.items():
        _write(folder / "pages" / name, outside_code(text, lambda part: FORMULA.sub(lambda m: formula(m[1]), part)))
    shutil.copytree(DOCS / "assets", folder / "pages" / "assets")
    listed = json.dumps(navigation(texts), ensure_ascii=False).replace('": ', '" = ')
    _write(
        folder / "zensical.toml", CONFIG.read_text("utf-8").replace("[project]\n", f"[project]\nnav = {listed}\n", 1)
    )


def navigation(texts: dict[str, str]) -> list[dict[str, object]]:
    """Return what the site lists at its side: the parts, and in each its pages by title."""
    listed: list[dict[str, object]] = [{"Home": "index.md"}]
    for part, title in PARTS:
        here = sorted(name for name in texts if name.startswith(f"{part}/"))
        if part == "reference":
            listed.append({title: ["reference/index.md", *_reference()]})
        elif here:
            index = [name for name in here if name.endswith("/index.md")]
            listed.append({title: [*index, *({_title(texts[name]): name} for name in here if name not in index)]})
    return listed


def outside_code(text: str, change: Callable[[str], str]) -> str:
    """Change a text, but not its blocks of code."""
    return "".join(part if i % 2 else change(part) for i, part in enumerate(FENCED.split(text)))


def _reference() -> list[dict[str, object]]:
    listed: list[dict[str, object]] = []
    for title, found in reference.sections().items():
        index = [page.path for page in found if page.path.endswith("/index.md")]
        listed.append({title: [*index, *({_label(page.title): page.path} for page in found if page.path not in index)]})
    return listed


def _label(title: str) -> str:
    """Return what a list of commands or documents calls a page."""
    return title.removeprefix("assay ").removesuffix(" -o json")


def _title(text: str) -> str:
    found = TITLE.search(text)
    return found[1].replace("`", "") if found else "?"


def _linked(path: Path, name: str, found: dict[str, Path], written: dict[str, str]) -> str:
    """Return a page whose links to files outside docs lead to their copies; they are added to what is to be written."""

    def moved(match: re.Match[str]) -> str:
        target, mark, anchor = match[1].partition("#")
        place = (path.parent / target).resolve()
        if not target or ":" in target or (path.is_relative_to(DOCS) and place.is_relative_to(DOCS)):
            return match[0]
        if not (place.is_file() and place.is_relative_to(ROOT)):
            return match[0]
        inside = place.is_relative_to(DOCS)
        copy = (place.relative_to(DOCS) if inside else place.relative_to(ROOT)).as_posix()
        if place.suffix != ".md":
            copy = f"{copy}.md"
        if copy not in written and copy not in found and copy != name:
            found[copy] = place
        return f"]({os.path.relpath(copy, Path(name).parent)}{mark}{anchor})"

    text = path.read_text("utf-8")
    if path.suffix != ".md":
        return f"# {path.name}\n\n```{path.suffix.removeprefix('.')}\n{text.rstrip()}\n```\n"
    return outside_code(text, lambda part: LINK.sub(moved, part))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
