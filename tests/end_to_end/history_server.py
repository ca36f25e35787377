"""The dashboard as its users meet it: a process of its own, and Chromium in front of it."""

import os
import subprocess
import sys
from contextlib import contextmanager


class Server:
    """`assay history serve` in a process of its own."""

    def __init__(self, folder, *options):
        command = [sys.executable, "-m", "assay", "history", "serve", *map(str, options), "--port", "0"]
        self.process = subprocess.Popen(
            command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )  # fmt: skip
        self.link = self.process.stdout.readline().strip()
        if not self.link.startswith("http://"):
            self.process.kill()
            said = self.process.stderr.read()
            self.close()
            raise AssertionError(said)
        self.address = self.link.partition("/join/")[0]

    def close(self):
        if self.process.poll() is None:
            self.process.terminate()
        self.process.wait(30)
        self.process.stdout.close()
        self.process.stderr.close()


@contextmanager
def served(folder, *options):
    server = Server(folder, *options)
    try:
        yield server
    finally:
        server.close()


@contextmanager
def reader(browser, address, **context):
    """Yield a page, what its console complains about, and every address that it asked."""
    opened = browser.new_context(viewport=context.pop("viewport", {"width": 1280, "height": 800}), **context)
    page = opened.new_page()
    page.set_default_timeout(20_000)
    page.complaints, page.asked = [], []
    page.on("console", lambda said: page.complaints.append(said.text))
    page.on("pageerror", lambda error: page.complaints.append(str(error)))
    page.on("request", lambda request: page.asked.append(request.url))
    page.goto(address)
    try:
        yield page
    finally:
        opened.close()
