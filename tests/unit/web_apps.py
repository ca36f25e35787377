"""Both apps of Assay in a browser, seen alike, and what a page is made of."""

from html.parser import HTMLParser

from tests.unit import history_pages, judging_pages


class Marks(HTMLParser):
    """The elements of a page, their attributes, and where they lead."""

    def __init__(self):
        super().__init__()
        self.tags, self.names, self.places = set(), set(), set()

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.names |= {name for name, _ in attrs}
        self.places |= {value for name, value in attrs if name in {"href", "src", "action", "formaction"}}
        assert tag != "script" or dict(attrs)["src"].startswith("/static/")


class App:
    """One of the apps: its store, its pages, and somebody who came in by the link, and a stranger."""

    def __init__(self, name, store, app, code):
        kind = history_pages.Reader if name == "history" else judging_pages.Reader
        self.name, self.store, self.app, self.code = name, store, app, code
        self.known, self.stranger = kind(app), kind(app)
        self.known.client.post("/join", data={"link": code})
        for reader in (self.known, self.stranger):
            reader.client._transport.raise_server_exceptions = False  # a browser sees answers alone

    @property
    def pages(self):
        """An address of each kind of page."""
        mine = {
            "history": ("/", "/suite?suite=web", "/evaluation?id=1", "/query?id=1&query=q01", "/compare?a=1&b=2"),
            "judging": ("/", "/bulk", "/admin", "/admin/disputes", "/admin/files/judgments.csv"),
        }
        return (*mine[self.name], "/nowhere", "/join/x", f"/join/{self.code}", "/static/look.css")

    @property
    def forms(self):
        """The addresses that take forms."""
        mine = {
            "history": ("/note", "/baseline"),
            "judging": ("/judge", "/undo", "/bulk", "/admin/invite", "/admin/pool"),
        }
        return (*mine[self.name], "/leave", "/join")

    @property
    def fields(self):
        """Each page with the parts of its address that people may write."""
        mine = {
            "history": {
                "/": ("from",), "/suite": ("suite", "measure", "slice", "name", "last"),
                "/evaluation": ("id", "measure", "from"), "/query": ("id", "query", "measure", "against"),
                "/compare": ("a", "b", "measure"),
            },
            "judging": {"/": ("undone",), "/bulk": ("query",), "/admin": ("told", "n"), "/admin/disputes": ("pair",)},
        }  # fmt: skip
        return mine[self.name]

    def state(self):
        """What is kept, to see that nothing changes it."""
        if self.name == "history":
            return [(one.id, one.name, one.note, one.baseline) for one in self.store.list("web")]
        return self.store.counts(), self.store.judges()
