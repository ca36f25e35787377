"""HTML as a browser would take it apart."""

import json
from html.parser import HTMLParser


class Page(HTMLParser):
    """What a browser would see: elements with attributes, and text outside of scripts and styles."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.scripts, self.text, self.open = [], [], [], ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag in {"script", "style"}:
            self.open = tag
            self.scripts.append((tag, dict(attrs), ""))

    def handle_endtag(self, tag):
        if tag == self.open:
            self.open = ""

    def handle_data(self, data):
        if self.open:
            tag, attrs, before = self.scripts[-1]
            self.scripts[-1] = (tag, attrs, before + data)
        else:
            self.text.append(data)

    def all(self, tag):
        return [attrs for name, attrs in self.elements if name == tag]

    @property
    def seen(self):
        return " ".join(" ".join(self.text).split())

    @property
    def data(self):
        (found,) = [text for _, attrs, text in self.scripts if attrs.get("type") == "application/json"]
        return json.loads(found)

    @property
    def policy(self):
        (found,) = [meta["content"] for meta in self.all("meta") if meta.get("http-equiv")]
        return found
