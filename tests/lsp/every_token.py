#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whatever an editor can ask, asked at every token of programs: everything is answered, places lie in the text, and answers
agree with each other (who is defined somewhere is referred to from there, what is highlighted contains the cursor).

    tests/lsp/every_token.py --placid build/release/bin/placid [--files N] [FILE ...]

Without files: the case programs and the examples. The first lines of each are asked again while a line is half typed."""
import argparse
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE.parent / "replay"))
from lsp_client import Client, position  # noqa: E402

TOKENS = re.compile(r"\w+|[^\w\s]")
AT_TOKENS = ["hover", "definition", "references", "documentHighlight", "prepareRename", "signatureHelp", "completion", "prepareCallHierarchy"]
OF_TEXTS = ["documentSymbol", "foldingRange", "semanticTokens/full", "codeLens", "documentLink", "inlayHint", "codeAction", "selectionRange"]
# Not every place has a name that can be changed, and says so.
REFUSALS = {"prepareRename": -32803}


class Wrong(Exception):
    pass


def key(place):
    return (place["line"], place["character"])


def contains(span, at):
    return key(span["start"]) <= key(at) <= key(span["end"])


def ranges(value):
    """All ranges in an answer, with the URI that they belong to, or none."""
    if isinstance(value, dict):
        for name, inner in value.items():
            if name in ("range", "selectionRange", "targetRange") and isinstance(inner, dict) and "start" in inner:
                yield value.get("uri"), inner
            else:
                yield from ranges(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from ranges(inner)


class Asker:
    def __init__(self, client, uri, text):
        self.client, self.uri, self.text = client, uri, text
        lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        self.ends = [len(line.encode("utf-16-le")) // 2 for line in lines]

    def valid(self, what, answer):
        for uri, span in ranges(answer):
            start, end = key(span["start"]), key(span["end"])
            if start > end:
                raise Wrong(f"{what}: {span} ends before it begins")
            if uri in (None, self.uri) and (end[0] > len(self.ends) or end[0] < len(self.ends) and end[1] > self.ends[end[0]]):
                raise Wrong(f"{what}: {span} is not in the text")

    def ask(self, requests):
        """The answers to requests that are sent together."""
        ids = []
        for method, more in requests:
            self.client.id += 1
            ids.append(self.client.id)
            self.client.send(id=self.client.id, method="textDocument/" + method, params={"textDocument": {"uri": self.uri}, **more})
        answers = {}
        while len(answers) < len(ids):
            message = self.client.take(120)
            if message.get("id") in ids and "method" not in message:
                answers[message["id"]] = message
        out = []
        for (method, more), one in zip(requests, ids):
            answer = answers[one]
            what = f"{method} at {more.get('position')}"
            if "error" in answer and answer["error"]["code"] != REFUSALS.get(method):
                raise Wrong(f"{what}: {answer['error']}")
            out.append(answer.get("result"))
            self.valid(what, out[-1])
        return out

    def at(self, place):
        more = {"position": place}
        hover, defined, uses, marked, rename, help_, completion, _ = self.ask(
            [(method, {**more, "context": {"includeDeclaration": True}} if method == "references" else more) for method in AT_TOKENS])
        for what, span in (("hover", (hover or {}).get("range")), ("prepareRename", (rename or {}).get("range"))):
            if span and not contains(span, place):
                raise Wrong(f"{what} at {place} is about {span}")
        if marked and not any(contains(one["range"], place) for one in marked):
            raise Wrong(f"documentHighlight at {place} is elsewhere: {marked}")
        if defined and uses and not any(one["uri"] == self.uri and contains(one["range"], place) for one in uses):
            raise Wrong(f"references at {place} leave it out: {uses}")
        if help_ and help_["signatures"]:
            signature = help_["signatures"][help_.get("activeSignature") or 0]
            number = help_.get("activeParameter")
            if number is not None and signature.get("parameters") and number > len(signature["parameters"]):
                raise Wrong(f"signatureHelp at {place}: no parameter {number} in {signature}")
        for item in (completion or {}).get("items", []):
            span = (item.get("textEdit") or {}).get("range")
            if span and not contains(span, place):
                raise Wrong(f"completion at {place} would change {span}")
        return 8

    def whole(self):
        everything = {"start": {"line": 0, "character": 0}, "end": position(self.text, len(self.text))}
        spots = [position(self.text, match.start()) for match in list(TOKENS.finditer(self.text))[:: 7]]
        more = {"inlayHint": {"range": everything}, "codeAction": {"range": everything, "context": {"diagnostics": []}},
                "selectionRange": {"positions": spots}}
        answers = self.ask([(method, more.get(method, {})) for method in OF_TEXTS])
        for spot, chain in zip(spots, answers[-1]):
            while chain:
                parent = chain.get("parent")
                inner = chain["range"]
                if not contains(inner, spot) or parent and not (contains(parent["range"], inner["start"]) and contains(parent["range"], inner["end"])):
                    raise Wrong(f"selectionRange at {spot}: {chain}")
                chain = parent
        return len(OF_TEXTS)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("given", nargs="*", type=pathlib.Path)
    parser.add_argument("--placid", required=True)
    parser.add_argument("--files", type=int, default=0, help="at most so many, spread evenly")
    options = parser.parse_args()
    files = options.given or sorted([*(ROOT / "tests/cases").rglob("*.py"), *(ROOT / "examples").rglob("*.py")])
    if options.files and len(files) > options.files:
        files = files[:: -(-len(files) // options.files)]
    client = Client([options.placid, "lsp"])
    client.initialize()
    asked = 0
    for file in files:
        uri = file.resolve().as_uri()
        text = file.read_bytes().decode("utf-8", errors="replace")
        try:
            client.open(uri, 0, text)
            asker = Asker(client, uri, text)
            asked += asker.whole()
            for match in TOKENS.finditer(text):
                asked += asker.at(position(text, (match.start() + match.end()) // 2))
            # Half typed: a call that is never closed, in the middle.
            at = text.find("\n", len(text) // 2) + 1
            broken = text[:at] + "    x = pl.load(w, [\n" + text[at:]
            client.change(uri, 1, [{"text": broken}])
            asker = Asker(client, uri, broken)
            asked += asker.whole()
            for match in list(TOKENS.finditer(broken))[:: 5]:
                asked += asker.at(position(broken, match.end()))
        except Wrong as fault:
            print(f"{file}: {fault}")
            return 1
        client.close(uri)
    client.end()
    print(f"{len(files)} files, {asked} questions: all answered")
    return 0


if __name__ == "__main__":
    sys.exit(main())
