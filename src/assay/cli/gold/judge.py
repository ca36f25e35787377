"""`assay gold judge POOL`: pages in a browser on which people judge the pairs of a pool."""

import getpass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.cli.output import notice
from assay.cli.terms import number, whole
from assay.errors import ParameterError, UnknownNameError
from assay.formats.source import Source

if TYPE_CHECKING:
    from assay.web.server import Address

MATERIALS = ("document", "triple", "records", "fact")


def judge(
    pool: Annotated[
        str | None,
        typer.Argument(
            metavar="POOL",
            help="What is to be judged: a table of query and item; a sample of assay graph sample; pairs (left, "
            "right); or retrieved facts in JSON Lines. Without it, the project in --store goes on.",
        ),
    ] = None,
    *,
    store: Annotated[
        str | None,
        typer.Option(
            "--store",
            metavar="URL",
            help="Where judgments are kept: a file, sqlite:///FILE or postgresql://USER@HOST/NAME [POOL.judgments.db].",
        ),
    ] = None,
    queries: Annotated[
        str | None, typer.Option("--queries", metavar="FILE", help="What the queries ask: id, text, narrative.")
    ] = None,
    documents: Annotated[
        str | None, typer.Option("--documents", metavar="FILE", help="What the items hold: id and any fields.")
    ] = None,
    scale: Annotated[
        str | None,
        typer.Option(
            "--scale", metavar="SCALE", help='binary, trec, correct, same, or written: "0=no,1=partly,2=yes".'
        ),
    ] = None,
    guideline: Annotated[
        str | None, typer.Option("--guideline", metavar="FILE", help="How to judge; a changed text is a new version.")
    ] = None,
    material: Annotated[
        str | None, typer.Option("--material", metavar="WHAT", help=f"{', '.join(MATERIALS)} [as the pool is].")
    ] = None,
    judgments: Annotated[
        str | None, typer.Option("--judgments", metavar="N", help="How many judges each pair should have [1].")
    ] = None,
    overlap: Annotated[
        str | None,
        typer.Option("--overlap", metavar="SHARE", help="Share of pairs that one judge more gets, unmarked [0.1]."),
    ] = None,
    seed: Annotated[str | None, typer.Option("--seed", metavar="N", help="The order of the queue [0].")] = None,
    judge: Annotated[
        str | None,
        typer.Option("--judge", metavar="NAME", help="Whom the printed link makes admin [who is logged in]."),
    ] = None,
    host: Annotated[str, typer.Option("--host", metavar="ADDRESS", help="Where to listen.")] = "127.0.0.1",
    port: Annotated[str, typer.Option("--port", metavar="N", help="The port; 0 takes one that is free.")] = "8321",
    site: Annotated[
        list[str] | None, typer.Option("--site", metavar="NAME", help="A host name by which others reach it ...")
    ] = None,
    certificate: Annotated[
        str | None, typer.Option("--certificate", metavar="FILE", help="Speak https, with this certificate,")
    ] = None,
    certificate_key: Annotated[
        str | None, typer.Option("--certificate-key", metavar="FILE", help="and its key.")
    ] = None,
    browser: Annotated[bool, typer.Option("--open", help="Open the page in the browser of this machine.")] = False,
) -> None:
    """Serve pages for judging, until Ctrl-C. Each decision is on the disk before the next pair is shown.

    The link that is printed makes you the admin, who invites others and settles what they disagree about.

    Example: assay gold judge pool.csv --queries topics.csv --documents corpus.jsonl --guideline how.txt

    Example: assay gold judge pool.csv --store postgresql://ann@db/judging --host 0.0.0.0 --site judging.example.org
    """
    from assay.judging.app.application import application
    from assay.judging.app.joining import Start
    from assay.judging.beginning import begin
    from assay.store.judging import JudgingStore
    from assay.web.server import Address, serve

    _check(pool, store, certificate, certificate_key)
    terms = _terms(material=material, scale=scale, judgments=judgments, overlap=overlap, seed=seed)
    address = Address(host, whole("--port", port, lowest=0), certificate, certificate_key, tuple(site or ()))
    text = None if guideline is None else Source.open(guideline).text()
    kept = JudgingStore.open(store or str(Path(str(pool)).with_suffix(".judgments.db")))
    try:
        project, added = begin(kept, pool or None, queries=queries, documents=documents, guideline=text, **terms)
        notice(
            f"{project.name}: {kept.counts()['pairs']:,} pairs to judge{f', {added:,} of them new' if added else ''}."
        )
        start = Start(kept, judge or getpass.getuser())
        serve(
            application(kept, start, address.names),
            address,
            lambda url: _say(address, f"{url}/join/{start.code}", browser),
        )
    finally:
        kept.close()


def _check(pool: str | None, store: str | None, certificate: str | None, key: str | None) -> None:
    """Refuse what cannot begin before a store is made for it."""
    if not pool and store is None:
        raise ParameterError("judging: expected a pool or --store, found neither")
    if key and not certificate:
        raise ParameterError("--certificate-key: expected --certificate beside it, found none")
    if pool and pool != "-":
        Source.open(pool)


def _terms(**given: str | None) -> dict[str, Any]:
    """Return the terms that were given; others are the usual ones, or those of the project that is there."""
    from assay.judging.scales import scale_of

    material = given["material"]
    if material is not None and material not in MATERIALS:
        raise UnknownNameError.of("material", material, MATERIALS)
    found = {
        "material": material,
        "scale": given["scale"] and scale_of(given["scale"]),
        "judgments": given["judgments"] and whole("--judgments", given["judgments"], lowest=1),
        "overlap": number("--overlap", given["overlap"]),
        "seed": None if given["seed"] is None else whole("--seed", given["seed"], lowest=0),
    }
    return {name: one for name, one in found.items() if one is not None}


def _say(address: "Address", link: str, browser: bool) -> None:
    """Say where the pages are; who opens that link is the admin."""
    if not address.is_private:
        notice("Note: others may read what is sent: use --certificate, or a proxy that speaks https.")
    notice("Open this link to judge and to invite others; Ctrl-C stops, and the same command goes on.")
    print(link, flush=True)
    if browser:
        import webbrowser

        webbrowser.open(link)
