"""The report's page in a browser: asks nothing of the network, no error, no sideways scroll."""

import re
import shutil
import subprocess
from html import escape
from html.parser import HTMLParser

import pytest
from conftest import PATIENCE

BROWSERS = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture
def page(reference_report):
    return reference_report / "report.html"


class References(HTMLParser):
    """What a page's elements refer to."""

    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attributes):
        self.found += [
            value for name, value in attributes if name in ("src", "href", "srcset", "data")
        ]


def test_refers_to_nothing_outside_itself(page):
    text = page.read_text()
    references = References()
    references.feed(text)
    assert references.found
    assert {one for one in references.found if not one.startswith(("#", "data:"))} == set()
    assert not re.search(r"url\(|@import", text)
    # And the browser is told to refuse all that might have been missed.
    assert "content=\"default-src 'none'; img-src data:;" in text


def test_every_link_has_its_place(page):
    text = page.read_text()
    links = set(re.findall(r'href="#([^"]+)"', text))
    assert links <= set(re.findall(r'id="([^"]+)"', text))


def browse(page, width):
    """The document after scripts ran, and what the browser's console said."""
    browser = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if browser is None:
        pytest.skip(f"needs a browser: none of {', '.join(BROWSERS)} is on PATH")
    command = [
        browser, "--headless=new", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr",
        "--v=0", f"--window-size={width},900", "--virtual-time-budget=3000", "--dump-dom",
        f"--user-data-dir={page.parent / 'profile'}", page.as_uri(),
    ]  # fmt: skip
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=PATIENCE
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, [line for line in done.stderr.splitlines() if "CONSOLE" in line]


def test_the_console_is_silent(page):
    document, console = browse(page, 1280)
    assert "Every answer verified" in document
    assert console == []


@pytest.mark.parametrize("width", [390, 1280])
def test_only_tables_scroll_sideways(page, width):
    """A frame as wide as a phone, or a desktop's window, that has a copy of the page. It may
    run a script of ours, which the page proper would not."""
    copy = re.sub(r"<meta http-equiv[^>]*>", "", page.read_text())
    measure = "parent.document.title = `wide ${document.documentElement.scrollWidth}`"
    copy = copy.replace("</body>", f"<script>{measure}</script></body>")
    probe = page.with_name("probe.html")
    frame = f'<iframe width="{width}" height="900" style="border:0" srcdoc="{escape(copy)}">'
    probe.write_text(f"<!DOCTYPE html><title></title>{frame}</iframe>")
    document, _ = browse(probe, 1400)
    (found,) = re.findall(r"<title>wide (\d+)</title>", document)
    assert int(found) <= width
