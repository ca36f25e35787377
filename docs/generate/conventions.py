"""The pages of what a number rests on: the policy, the profiles of other tools, and the file formats."""

from dataclasses import fields

from docs.generate.markdown import Page, block, code, prose, sections, table

from assay.core.policy import CHOICES, Policy
from assay.core.profiles import PROFILES, Profile, Rule
from assay.formats import FORMATS
from assay.formats.base import Format, Kind


def policy() -> Page:
    """Return the page of the policy: each field, its values and what each means."""
    parts = []
    for field in fields(Policy):
        default = getattr(Policy(), field.name)
        option = f"--{field.name.replace('_', '-')}"
        rows = (
            (code(value), prose(meaning), "default" if value == default else "")
            for value, meaning in CHOICES[field.name].items()
        )
        parts.append((code(field.name), f"Option {code(option)}.\n\n{table(('Value', 'Meaning', ''), rows)}"))
    text = (
        "Every convention that can change a number stands in one policy. It is printed with each result and stored in "
        'it. In Python: `assay.Policy(ties="expected")`; profiles set several fields at once: '
        "[profiles](profiles.md)."
    )
    return Page("reference/policy.md", "Policy", f"{text}\n\n{sections(*parts)}")


def profiles() -> Page:
    """Return the page of the profiles: the conventions of other tools."""
    text = (
        "A profile makes Assay compute as another tool does: `--profile NAME`. What no setting can reproduce is said "
        "under *Limits*."
    )
    parts = ((f"{one.name} {{#{one.name.replace('.', '')}}}", _profile(one)) for one in PROFILES.values())
    return Page("reference/profiles.md", "Profiles", f"{text}\n\n{sections(*parts)}")


def _profile(one: Profile) -> str:
    policy = ", ".join(code(f"{name}={value}") for name, value in one.policy.changed().items())
    links = ", ".join(code(f"{name}={value}") for name, value in (one.links or {}).items())
    rules = ((", ".join(map(code, rule.measures)), _when(rule), _changes(rule), prose(rule.why)) for rule in one.rules)
    return "\n\n".join(
        part
        for part in (
            prose(one.summary),
            f"Policy: {policy or 'as the default'}.",
            f"Link prediction: {links}." if links else "",
            table(("Measures", "When", "Changes", "Why"), rules),
            sections(("Limits", "\n".join(f"- {prose(limit)}" for limit in one.limits)), level=3).replace(
                "### Limits", f"### Limits {{#limits-of-{one.name.replace('.', '')}}}"
            ),
        )
        if part
    )


def _when(rule: Rule) -> str:
    cutoff = {True: ["with a cutoff"], False: ["without a cutoff"], None: []}[rule.cutoff]
    return ", ".join(cutoff + [code(f"{name}={value}") for name, value in rule.when.items()]) or "always"


def _changes(rule: Rule) -> str:
    changed = [code(f"{name}={value}") for name, value in {**rule.policy, **rule.parameters}.items()]
    return ", ".join(changed + (["beta is beta squared"] if rule.beta_squared else []))


def formats() -> Page:
    """Return the page of the formats of gold standards and runs."""
    text = (
        "Files are recognised by their content, in this order; `--format` and `--gold-format` overrule that. Each may "
        "be packed as `.gz` or `.zst`, and `-` is standard input. Shown are the small files by which the tests try "
        "each format. What else commands take: [other files](other-files.md)."
    )
    parts = ((code(one.name), _format(one)) for one in FORMATS.values())
    return Page("reference/formats.md", "File formats", f"{text}\n\n{sections(*parts)}")


def _format(one: Format) -> str:
    rows = [
        ("Suffixes", ", ".join(map(code, one.suffixes)) or "recognised by content"),
        ("Other names", ", ".join(map(code, one.aliases)) or "none"),
    ]
    kinds: tuple[tuple[Kind, str], ...] = (("gold", "A gold standard"), ("run", "A run"))
    shown = [f"{title}:\n\n{block(text)}" for kind, title in kinds if (text := _example(one, kind))]
    return "\n\n".join([prose(one.description), table(("", ""), rows), *shown])


def _example(one: Format, kind: Kind) -> str:
    """Return the small file of a format, where it has one that people can read."""
    try:
        text = one.example(kind).decode()
    except (KeyError, UnicodeDecodeError):
        return ""
    return text if text.isprintable() or not {*text} & {"\0"} else ""
