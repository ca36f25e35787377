"""Chromium without a window, spoken to through two pipes: open a page, look at it, press keys, hear complaints."""

import json
import os
import shutil
import subprocess
import time
from contextlib import contextmanager

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--hide-scrollbars", "--remote-debugging-pipe",
)  # fmt: skip
PATIENCE = 30


def program():
    """Return where Chromium is, or None."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    """One process of Chromium."""

    def __init__(self, process, to_browser, from_browser):
        self.process, self.to_browser, self.from_browser = process, to_browser, from_browser
        self.number, self.rest, self.events = 0, b"", []

    def call(self, method, session=None, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self.to_browser, json.dumps(message).encode() + b"\0")
        while True:
            found = self.hear()
            if found.get("id") == self.number:
                assert "error" not in found, found
                return found["result"]
            self.events.append(found)

    def hear(self):
        while b"\0" not in self.rest:
            part = os.read(self.from_browser, 1 << 20)
            assert part, "the browser is gone"
            self.rest += part
        message, _, self.rest = self.rest.partition(b"\0")
        return json.loads(message)

    def open(self, path, width=1280, height=900, *, dark=False):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = Page(self, session)
        for domain in ("Page", "Runtime", "Log", "Network"):
            page.call(f"{domain}.enable")
        page.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        page.call("Emulation.setEmulatedMedia", features=[scheme])
        page.call("Page.navigate", url=path.as_uri())
        page.until("document.documentElement?.dataset.drawn !== undefined")
        return page


class Page:
    """One page of the browser."""

    def __init__(self, browser, session):
        self.browser, self.session = browser, session

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def ask(self, expression):
        """Return the value of an expression; the page's own policy does not bind the debugger."""
        found = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def until(self, expression):
        start = time.monotonic()
        while not self.ask(expression):
            assert time.monotonic() - start < PATIENCE, f"never true: {expression}"
            time.sleep(0.05)

    def choose(self, selector, value):
        self.ask(
            f"(() => {{ const one = document.querySelector({json.dumps(selector)}); one.value = {json.dumps(value)};"
            " one.dispatchEvent(new Event('change', {bubbles: true})); })()"
        )

    def press(self, key, code=0):
        for kind in ("rawKeyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code)

    def click(self, x, y):
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    @property
    def heard(self):
        """What the page said since it was opened, by the name of the event."""
        self.ask("1")
        return [event for event in self.browser.events if event.get("sessionId") == self.session]

    @property
    def complaints(self):
        """Console messages, exceptions, entries of the log, dialogs."""
        kinds = {
            "Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded", "Page.javascriptDialogOpening",
        }  # fmt: skip
        return [event for event in self.heard if event["method"] in kinds]

    @property
    def requests(self):
        found = [event["params"] for event in self.heard if event["method"] == "Network.requestWillBeSent"]
        return [one["request"]["url"] for one in found if not one["request"]["url"].startswith("data:")]


@contextmanager
def chromium(folder):
    """Start Chromium with a profile in the folder; end it."""
    read_by_browser, to_browser = os.pipe()
    from_browser, written_by_browser = os.pipe()
    command = 'exec "$@" 3<&"$READ" 4>&"$WRITE"'
    process = subprocess.Popen(
        ["bash", "-c", command, "bash", program(), *FLAGS, f"--user-data-dir={folder}", "about:blank"],
        env=os.environ | {"READ": str(read_by_browser), "WRITE": str(written_by_browser)},
        pass_fds=(read_by_browser, written_by_browser),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(read_by_browser)
    os.close(written_by_browser)
    try:
        yield Browser(process, to_browser, from_browser)
    finally:
        process.terminate()
        process.wait(PATIENCE)
        os.close(to_browser)
        os.close(from_browser)
