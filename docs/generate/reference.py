"""The whole reference: every page that is made from a registry, in the order in which it is listed."""

from docs.generate import commands, conventions, json_keys, measures, other_files, python_names
from docs.generate.markdown import Page


def sections() -> dict[str, list[Page]]:
    """Return all generated pages under the title of their part."""
    return {
        "Measures": measures.pages(),
        "Commands": commands.pages(),
        "Conventions": [conventions.policy(), conventions.profiles(), conventions.formats(), other_files.page()],
        "JSON": json_keys.pages(),
        "Python": python_names.pages(),
    }


def index() -> Page:
    """Return the first page of the reference."""
    body = (
        "Made from the program itself: what stands here is what the installed version does.\n\n"
        "- [Measures](measures/index.md): definition, formula, range, ties, chance, example and source of each.\n"
        "- [Commands](commands/index.md): every command with its arguments and options.\n"
        "- [Policy](policy.md): every convention that can change a number.\n"
        "- [Profiles](profiles.md): the conventions of other tools, by name.\n"
        "- [File formats](formats.md) of gold standards and runs, and [other files](other-files.md).\n"
        "- [JSON documents](json/index.md): every key that a command writes.\n"
        "- Python: [functions](python/functions.md), [classes and values](python/classes.md), "
        "[exceptions](python/exceptions.md)."
    )
    return Page("reference/index.md", "Reference", body)


def pages() -> dict[str, Page]:
    """Return every generated page by its path below docs."""
    found = [index(), *(page for part in sections().values() for page in part)]
    return {page.path: page for page in found}
