#!/usr/bin/env python3
"""Checks the documentation as text: every relative link leads somewhere, every decision record is listed, no page names an
absolute path of a machine."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
LINK = re.compile(r"\]\(([^)#\s]+)(#[^)]*)?\)")
FENCE = re.compile(r"^```.*?^```", re.M | re.S)


def pages():
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "tests").rglob("*.md")]:
        if "node_modules" not in page.parts:
            yield page


class Docs(unittest.TestCase):
    def test_links(self):
        for page in pages():
            for target, _ in LINK.findall(FENCE.sub("", page.read_text())):
                if not re.match(r"\w+:", target):
                    with self.subTest(page=str(page.relative_to(ROOT)), target=target):
                        self.assertTrue((page.parent / target).exists())

    def test_records_are_listed(self):
        listed = (ROOT / "docs/adr/README.md").read_text()
        for record in (ROOT / "docs/adr").glob("[0-9]*.md"):
            self.assertIn(f"({record.name})", listed)
        numbers = [record.name[:4] for record in sorted((ROOT / "docs/adr").glob("[0-9]*.md"))]
        self.assertEqual(len(numbers), len(set(numbers)), "two records share a number")

    def test_no_machine_paths(self):
        for page in pages():
            found = re.search(r"(?<![\w.])/(work|root|home|tmp/w)\b", page.read_text())
            self.assertIsNone(found, page)


if __name__ == "__main__":
    unittest.main()
