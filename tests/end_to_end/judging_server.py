"""The judging app as its users meet it: a process of its own, and Chromium in front of it."""

import os
import shutil
import signal
import subprocess
import sys
from contextlib import contextmanager

import pytest

FLAGS = ["--no-sandbox", "--disable-gpu"]


class Server:
    """`assay gold judge` in a process of its own."""

    def __init__(self, folder, *options, port=0):
        command = [sys.executable, "-m", "assay", "gold", "judge", *map(str, options), "--port", str(port)]
        self.process = subprocess.Popen(
            command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )  # fmt: skip
        self.link = self.process.stdout.readline().strip()
        if "/join/" not in self.link:
            self.process.kill()
            said = self.process.stderr.read()
            self.close()
            raise AssertionError(said)
        self.address = self.link.partition("/join/")[0]
        self.port = int(self.address.rpartition(":")[2])

    def kill(self):
        """End the process as a crash does: it can save nothing."""
        self.process.send_signal(signal.SIGKILL)
        self.close()

    def close(self):
        if self.process.poll() is None:
            self.process.terminate()
        self.process.wait(30)
        self.process.stdout.close()
        self.process.stderr.close()


@contextmanager
def served(folder, *options, port=0):
    server = Server(folder, *options, port=port)
    try:
        yield server
    finally:
        server.close()


@contextmanager
def chromium():
    """Yield Chromium, or skip the test."""
    sync = pytest.importorskip("playwright.sync_api")
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if path is None:
        pytest.skip("needs Chromium")
    with sync.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def visitor(browser, link, **context):
    """Yield a page of somebody who came in by a link, and what its console complains about."""
    opened = browser.new_context(viewport=context.pop("viewport", {"width": 1280, "height": 800}), **context)
    page = opened.new_page()
    page.set_default_timeout(20_000)
    page.complaints = []
    page.on("console", lambda said: page.complaints.append(said.text))
    page.on("pageerror", lambda error: page.complaints.append(str(error)))
    page.goto(link)
    with page.expect_navigation(wait_until="load"):  # before that no key is heard
        page.click("button.first")
    page.wait_for_selector("main h1")
    try:
        yield page
    finally:
        opened.close()


def press(page, key):
    """Press a key on the page of one pair and wait until the next page is there."""
    before = page.get_attribute("#judging [name=key]", "value")
    page.keyboard.press(key)
    page.wait_for_function("old => document.querySelector('#judging [name=key]')?.value !== old", arg=before)


def judged(page):
    """Return how many the page says are judged."""
    return int(page.inner_text(".standing span").split()[0].replace(",", ""))


def write_pool(folder, queries=4, items=12):
    """Write a pool with its queries and documents; return the options that name them."""
    rows = [(f"q{q}", f"d{q}-{d}") for q in range(queries) for d in range(items)]
    (folder / "pool.csv").write_text("query,item\n" + "".join(f"{q},{d}\n" for q, d in rows))
    asked = "".join(
        f"q{q},how do heat pumps work in winter {q},Passing mentions do not count.\n" for q in range(queries)
    )
    (folder / "queries.csv").write_text(f"id,text,narrative\n{asked}")
    text = "Cold air still holds heat. " * 40
    told = "".join(f'{{"_id": "{d}", "title": "Title of {d}", "text": "{text}", "date": "2024"}}\n' for _, d in rows)
    (folder / "documents.jsonl").write_text(told)
    (folder / "guide.txt").write_text("Judge what the document says.\n\nPerfect: it answers the whole need.\n")
    return (
        "pool.csv", "--queries", "queries.csv", "--documents", "documents.jsonl", "--guideline", "guide.txt",
        "--judge", "ann",
    )  # fmt: skip
