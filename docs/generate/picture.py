"""Draws the picture of the README: `make demo && python -m docs.generate.picture`, with a Chromium."""

import shutil
import sys
from pathlib import Path

from docs.generate.stage import DOCS, ROOT

PAGE, PICTURE = ROOT / "demo-report.html", DOCS / "assets" / "report.png"
WIDTH, SCALE = 1120, 1.1
NEXT = "h3:has-text('Means with intervals')"
"""The heading before which the picture ends."""


def draw(page: Path, picture: Path, chromium: str) -> None:
    """Write what a reader sees first of a report: the verdict, and every run by every measure."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        view = browser.new_page(
            viewport={"width": WIDTH, "height": 900}, device_scale_factor=SCALE, color_scheme="light"
        )
        view.goto(page.as_uri())
        view.wait_for_load_state("networkidle")
        end = view.locator(NEXT).evaluate("heading => heading.getBoundingClientRect().top")
        view.screenshot(path=picture, full_page=True, clip={"x": 0, "y": 0, "width": WIDTH, "height": end})
        browser.close()


def main() -> int:
    """Draw, or say what is missing."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None or not PAGE.is_file():
        missing = "a Chromium" if chromium is None else f"{PAGE.name}, which make demo writes"
        print(f"picture: expected {missing}, found none", file=sys.stderr)
        return 2
    draw(PAGE, PICTURE, chromium)
    print(f"The picture: {PICTURE.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
