#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Asks a real server every question that an editor asks, about real kernels and about broken ones."""
import argparse
import json
import pathlib
import queue
import shlex
import subprocess
import sys
import tempfile
import threading
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "transcripts"))
from run import read_frames  # noqa: E402
from traffic import Traffic  # noqa: E402

TIMEOUT = 60.0
SERVER = []

CONFIG = "TILE = 32\nROWS = TILE * 2\n\n\ndef half(n):\n    \"\"\"Half of n.\"\"\"\n    return n // 2\n"
KERNEL = """\
import pypto.language as pl
from config import ROWS, TILE as T

# How much of the weight
# one block takes.
STEP = T


@pl.program
class Lanes:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 64], pl.FP16],
        w: pl.Tensor[[96, 64], pl.FP16, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        \"\"\"Multiplies.\"\"\"
        a_l1 = pl.load(act, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w, [24, 0], [32, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(a_l1, pl.tile.transpose_view(w_l1))
        res = pl.store(acc, [0, 0], res)
        return res

    @pl.function(type=pl.FunctionType.Orchestration)
    def main(
        self,
        act: pl.Tensor[[16, 64], pl.FP16],
        w: pl.Tensor[[96, 64], pl.FP16, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        res = self.kern(act, w, res)
        return res
"""


def place(text, what, after=0):
    """Position of `what` in the text; `@` in it marks the cursor."""
    mark = what.index("@") if "@" in what else 0
    plain = what.replace("@", "", 1)
    at = text.index(plain) + mark + after
    line = text.count("\n", 0, at)
    return {"line": line, "character": at - (text.rfind("\n", 0, at) + 1)}


def text_at(text, found):
    lines = text.split("\n")
    start, end = found["start"], found["end"]
    assert start["line"] == end["line"], found
    return lines[start["line"]][start["character"]:end["character"]]


def apply(text, edits):
    """Columns are UTF-16, for lines beyond the first plane too."""
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)

    def offset(at):
        before = lines[at["line"]].encode("utf-16-le")[:2 * at["character"]]
        return starts[at["line"]] + len(before.decode("utf-16-le"))
    for edit in sorted(edits, key=lambda e: offset(e["range"]["start"]), reverse=True):
        begin, end = offset(edit["range"]["start"]), offset(edit["range"]["end"])
        text = text[:begin] + edit["newText"] + text[end:]
    return text


class Client:
    def __init__(self, root, capabilities=None):
        self.process = subprocess.Popen(SERVER, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.inbox = queue.Queue()
        self.last = 0
        self.published = {}
        self.traffic = Traffic()
        threading.Thread(target=read_frames, args=(self.process.stdout, self.inbox, self.traffic), daemon=True).start()
        everything = {"textDocument": {
            "hover": {"contentFormat": ["markdown"]},
            "publishDiagnostics": {"relatedInformation": True, "codeDescriptionSupport": True},
        }}
        self.about = self.request("initialize", {
            "processId": None, "rootUri": None, "workspaceFolders": [{"uri": root.as_uri(), "name": "w"}],
            "capabilities": everything if capabilities is None else capabilities})
        self.notify("initialized", {})

    def send(self, message):
        self.traffic.sent(message)
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def next(self):
        message = self.inbox.get(timeout=TIMEOUT)
        if message is None:
            raise AssertionError("the server closed its output")
        if message.get("method") == "textDocument/publishDiagnostics":
            params = message["params"]
            self.published[params["uri"]] = params
        return message

    def answer(self, method, params):
        self.last += 1
        self.send({"id": self.last, "method": method, "params": params})
        while True:
            message = self.next()
            if message.get("id") == self.last:
                return message

    def request(self, method, params):
        message = self.answer(method, params)
        if "error" in message:
            raise AssertionError(f"{method}: {message['error']}")
        return message["result"]

    def open(self, uri, text, version=1):
        self.notify("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "python", "version": version, "text": text}})

    def diagnostics(self, uri, version):
        while self.published.get(uri, {}).get("version") != version:
            self.next()
        return self.published[uri]["diagnostics"]

    def close(self):
        try:
            self.request("shutdown", None)
            self.notify("exit", None)
            return self.process.wait(TIMEOUT)
        finally:
            self.process.kill()
            self.process.wait()
            self.process.stdin.close()
            self.process.stdout.close()


class Features(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="placid lsp ")
        self.root = pathlib.Path(self.folder.name)
        (self.root / "config.py").write_text(CONFIG, encoding="utf-8")
        (self.root / "kern.py").write_text(KERNEL, encoding="utf-8")
        self.uri = (self.root / "kern.py").as_uri()
        self.config = (self.root / "config.py").as_uri()
        self.client = None

    def tearDown(self):
        if self.client:
            self.assertEqual(self.client.close(), 0)
        self.folder.cleanup()

    def start(self, text=KERNEL, capabilities=None):
        self.client = Client(self.root, capabilities)
        self.text = text
        self.client.open(self.uri, text)
        return self.client

    def ask(self, method, what=None, **more):
        params = {"textDocument": {"uri": self.uri}, **more}
        if what is not None:
            params["position"] = place(self.text, what)
        return self.client.request(method, params)

    def test_diagnostics_are_pushed_and_a_fix_mends_them(self):
        client = self.start()
        found = client.diagnostics(self.uri, 1)
        errors = [d for d in found if d["severity"] == 1]
        self.assertEqual([d["code"] for d in errors], ["PL3105"])
        self.assertTrue(errors[0]["codeDescription"]["href"])
        self.assertTrue(errors[0]["relatedInformation"])
        actions = self.ask("textDocument/codeAction", range=errors[0]["range"], context={"diagnostics": [errors[0]]})
        self.assertTrue(actions)
        self.assertEqual([a["kind"] for a in actions], ["quickfix"] * len(actions))
        for version, action in enumerate(actions, 2):
            mended = apply(KERNEL, action["edit"]["changes"][self.uri])
            client.notify("textDocument/didChange", {"textDocument": {"uri": self.uri, "version": version},
                                                     "contentChanges": [{"text": mended}]})
            self.assertEqual(client.diagnostics(self.uri, version), [], action["title"])
        none = self.ask("textDocument/codeAction", range=errors[0]["range"], context={"diagnostics": [], "only": ["refactor"]})
        self.assertEqual(none, [])

    def test_pulled_diagnostics_are_not_pushed(self):
        client = self.start(capabilities={"textDocument": {"diagnostic": {}}})
        self.assertIn("diagnosticProvider", client.about["capabilities"])
        first = self.ask("textDocument/diagnostic")
        self.assertEqual(first["kind"], "full")
        self.assertIn("PL3105", [d["code"] for d in first["items"]])
        again = self.ask("textDocument/diagnostic", previousResultId=first["resultId"])
        self.assertEqual((again["kind"], again["resultId"]), ("unchanged", first["resultId"]))
        all_of_them = client.request("workspace/diagnostic", {"previousResultIds": [{"uri": self.uri, "value": "old"}]})
        self.assertEqual([(one["uri"], one["kind"]) for one in all_of_them["items"]], [(self.uri, "full")])
        # An edit of the imported module reaches the importer.
        client.open(self.config, CONFIG)
        client.notify("textDocument/didChange", {"textDocument": {"uri": self.uri, "version": 2},
                                                 "contentChanges": [{"text": KERNEL.replace("[24, 0]", "[STEP, 0]")}]})
        self.assertNotIn("PL3105", [d["code"] for d in self.ask("textDocument/diagnostic")["items"]])
        self.assertEqual(client.published, {})

    def test_push_is_what_other_clients_get(self):
        client = self.start()
        self.assertNotIn("diagnosticProvider", client.about["capabilities"])

    def test_hover(self):
        self.start()
        shown = self.ask("textDocument/hover", "pl.@NZ")["contents"]["value"]
        self.assertIn("[1, 4, 6, 16, 16]", shown)
        self.assertIn("the fractal's place in memory", shown)
        shown = self.ask("textDocument/hover", "pl.mat@mul")["contents"]["value"]
        self.assertIn("pl.matmul(lhs: Tensor, rhs: Tensor", shown)
        shown = self.ask("textDocument/hover", "self.ke@rn(act")["contents"]["value"]
        self.assertIn("Multiplies.", shown)
        shown = self.ask("textDocument/hover", "store(ac@c")["contents"]["value"]
        self.assertIn("acc: pl.Tile[[16, 32], pl.FP32, pl.Mem.Acc]", shown)
        self.assertIsNone(self.ask("textDocument/hover", "# How@ much"))

    def test_hover_in_a_function_that_kernels_share(self):
        text = """\
import pypto.language as pl


@pl.jit.inline
def helper(x, n):
    y = x[0:n, 0:16]
    return y


@pl.jit
def first(a: pl.Tensor[[64, 64], pl.FP16], o: pl.Out[pl.Tensor[[16, 16], pl.FP16]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        o[0:16, 0:16] = helper(a, 16)
    return o


@pl.jit
def second(a: pl.Tensor[[64, 64], pl.FP32], o: pl.Out[pl.Tensor[[32, 16], pl.FP32]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        o[0:32, 0:16] = helper(a, 32)
    return o
"""
        self.start(text)
        shown = [self.ask("textDocument/hover", what)["contents"]["value"] for what in ("@y = x", "return @y")]
        self.assertEqual(shown[0], shown[1])
        self.assertIn("FP16]  # in first\ny: ", shown[0])
        self.assertIn("FP32]  # in second\n", shown[0])

    def test_names_in_one_file(self):
        client = self.start()
        target = self.ask("textDocument/definition", "store(ac@c")
        self.assertEqual([text_at(KERNEL, one["range"]) for one in target], ["acc"])
        self.assertEqual(target[0]["range"]["start"], place(KERNEL, "acc = pl.matmul"))
        uses = self.ask("textDocument/references", "w_l@1 = ", context={"includeDeclaration": True})
        self.assertEqual([text_at(KERNEL, one["range"]) for one in uses], ["w_l1", "w_l1"])
        lights = self.ask("textDocument/documentHighlight", "w_l@1 = ")
        self.assertEqual([one["kind"] for one in lights], [3, 2])
        self.assertEqual(self.ask("textDocument/prepareRename", "w_l@1 = ")["placeholder"], "w_l1")
        edit = self.ask("textDocument/rename", "w_l@1 = ", newName="weight")
        renamed = apply(KERNEL, edit["changes"][self.uri])
        self.assertEqual(renamed, KERNEL.replace("w_l1", "weight"))
        for new, why in (("2x", "no name"), ("class", "no name"), ("acc", "is taken")):
            error = client.answer("textDocument/rename", {"textDocument": {"uri": self.uri}, "newName": new,
                                                          "position": place(KERNEL, "w_l@1 = ")})["error"]
            self.assertIn(why, error["message"])
        error = client.answer("textDocument/prepareRename", {"textDocument": {"uri": self.uri},
                                                             "position": place(KERNEL, "pl.loa@d")})["error"]
        self.assertIn("no name", error["message"])

    def test_names_across_files(self):
        self.start()
        target = self.ask("textDocument/definition", "STEP = @T")
        self.assertEqual([one["uri"] for one in target], [self.config])
        self.assertEqual(text_at(CONFIG, target[0]["range"]), "TILE")
        self.assertEqual(self.ask("textDocument/definition", "from con@fig"), [])
        uses = self.ask("textDocument/references", "import RO@WS", context={"includeDeclaration": True})
        self.assertEqual(sorted(one["uri"] for one in uses), sorted([self.config, self.uri]))
        edit = self.ask("textDocument/rename", "TI@LE as", newName="WIDTH")["changes"]
        self.assertEqual(apply(CONFIG, edit[self.config]), CONFIG.replace("TILE", "WIDTH"))
        self.assertEqual(apply(KERNEL, edit[self.uri]), KERNEL.replace("TILE as T", "WIDTH as T"))
        links = self.ask("textDocument/documentLink")
        self.assertEqual([(text_at(KERNEL, one["range"]), one["target"]) for one in links], [("config", self.config)])

    def test_outline(self):
        client = self.start()
        symbols = self.ask("textDocument/documentSymbol")
        self.assertEqual([one["name"] for one in symbols], ["STEP", "Lanes"])
        kernels = symbols[1]["children"]
        self.assertEqual([one["name"] for one in kernels], ["kern", "main"])
        self.assertEqual([one["name"] for one in kernels[0]["children"]], ["act", "w", "res", "a_l1", "w_l1", "acc"])
        found = client.request("workspace/symbol", {"query": "lns"})
        self.assertEqual([(one["name"], one["location"]["uri"]) for one in found], [("Lanes", self.uri)])
        closed = self.root / "closed.py"
        (self.root / "no_kernels.py").write_text("class RemoteLoans: ...\n")
        for name in ("RemoteLanes", "RemoterLanes"):
            closed.write_text(f"import pypto.language as pl\n\n\nclass {name}: ...\n")
            found = client.request("workspace/symbol", {"query": "remotel"})
            self.assertEqual([(one["name"], one["location"]["uri"]) for one in found], [(name, closed.as_uri())])
        folds = self.ask("textDocument/foldingRange")
        kinds = {one.get("kind", "") for one in folds}
        self.assertEqual(kinds, {"", "comment", "imports"})
        lines = KERNEL.split("\n")
        self.assertTrue(any(lines[one["startLine"]].lstrip().startswith("def kern") for one in folds))
        climbed = self.ask("textDocument/selectionRange", positions=[place(KERNEL, "[2@4, 0]")])[0]
        steps = []
        while climbed:
            steps.append(climbed["range"])
            climbed = climbed.get("parent")
        self.assertEqual(text_at(KERNEL, steps[0]), "24")
        self.assertEqual(text_at(KERNEL, steps[1]), "[24, 0]")
        self.assertEqual(steps[-1]["start"], {"line": 0, "character": 0})

    def test_call_hierarchy(self):
        client = self.start()
        item = self.ask("textDocument/prepareCallHierarchy", "self.ke@rn(act")[0]
        self.assertEqual(item["name"], "Lanes.kern")
        callers = client.request("callHierarchy/incomingCalls", {"item": item})
        self.assertEqual([one["from"]["name"] for one in callers], ["Lanes.main"])
        self.assertEqual(text_at(KERNEL, callers[0]["fromRanges"][0]), "self.kern")
        callees = client.request("callHierarchy/outgoingCalls", {"item": callers[0]["from"]})
        self.assertEqual([one["to"]["name"] for one in callees], ["Lanes.kern"])

    def test_call_hierarchy_across_files(self):
        helpers = self.root / "helpers.py"
        helpers.write_text("from config import half\n\n\ndef quarter(n):\n    return half(half(n))\n", encoding="utf-8")
        (self.root / "user.py").write_text("import helpers\n\n\ndef eighth(n):\n    return helpers.quarter(n) // 2\n", encoding="utf-8")
        client = self.start(KERNEL.replace("STEP = T", "from helpers import quarter\nSTEP = quarter(64)"))
        item = self.ask("textDocument/prepareCallHierarchy", "quar@ter(64)")[0]
        self.assertEqual((item["name"], item["uri"]), ("quarter", helpers.as_uri()))
        callees = client.request("callHierarchy/outgoingCalls", {"item": item})
        self.assertEqual([(one["to"]["name"], one["to"]["uri"], len(one["fromRanges"])) for one in callees], [("half", self.config, 2)])
        callers = client.request("callHierarchy/incomingCalls", {"item": item})
        self.assertEqual([one["from"]["name"] for one in callers], ["eighth"], "in a file that is not open; no function calls it here")
        back = client.request("callHierarchy/incomingCalls", {"item": callees[0]["to"]})
        self.assertEqual([one["from"]["name"] for one in back], ["quarter"])
        helpers.unlink()
        self.assertEqual(client.request("callHierarchy/incomingCalls", {"item": item}), [])

    def test_files_that_are_not_open(self):
        other = self.root / "other.py"
        other.write_text(KERNEL.replace("Lanes", "Others"), encoding="utf-8")
        client = self.start(KERNEL.replace("[24, 0]", "[32, 0]"), {"textDocument": {"diagnostic": {}, "publishDiagnostics": {"tagSupport": {"valueSet": [1, 2]}}},
                             "workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}, "diagnostics": {"refreshSupport": True}}})
        first = client.request("workspace/diagnostic", {"previousResultIds": []})["items"]
        self.assertEqual([(one["uri"], one["version"], sorted({d["code"] for d in one["items"]})) for one in first],
                         [(self.uri, 1, []), (other.as_uri(), None, ["PL3105"])])
        # Asked again, the server answers when there is something new.
        known = [{"uri": one["uri"], "value": one["resultId"]} for one in first]
        client.last += 1
        waiting = client.last
        client.send({"id": waiting, "method": "workspace/diagnostic", "params": {"previousResultIds": known}})
        self.assertEqual(self.ask("textDocument/diagnostic")["resultId"], first[0]["resultId"], "the same list has the same id")
        other.write_text(KERNEL.replace("[24, 0]", "[32, 0]"), encoding="utf-8")
        client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": other.as_uri(), "type": 2}]})
        while (message := client.next()).get("id") != waiting:
            pass
        self.assertEqual([(one["uri"], one["kind"]) for one in message["result"]["items"]],
                         [(self.uri, "unchanged"), (other.as_uri(), "full")])
        self.assertEqual(message["result"]["items"][1]["items"], [])
        # What the language no longer has is struck out.
        self.text = "import pypto_pro.language as pl\n\n\n@pl.jit\ndef kern(\n    x: pl.Tensor[[64, 128], pl.DT_FP16],\n):\n    " \
                    "tt = pl.TileType(shape=[64, 128], dtype=pl.DT_FP16)\n    pl.make_tile(tt, addr=0, size=8192)\n"
        client.notify("textDocument/didChange", {"textDocument": {"uri": self.uri, "version": 2}, "contentChanges": [{"text": self.text}]})
        self.assertEqual([(d["code"], d["tags"]) for d in self.ask("textDocument/diagnostic")["items"]], [("PL6036", [2])])

    def test_a_return_alone_ends_a_line(self):
        client = self.start(KERNEL.replace("\n", "\r"))
        found = client.diagnostics(self.uri, 1)
        self.assertEqual([d["code"] for d in found if d["severity"] == 1], ["PL3105"])
        self.assertEqual(text_at(KERNEL, next(d for d in found if d["severity"] == 1)["range"]), "24")

    def test_completion_and_signatures_while_typing(self):
        head = KERNEL[:KERNEL.index("        acc = ")]
        broken = head + "        acc = pl.ma"
        self.start(broken)
        end = {"line": broken.count("\n"), "character": len(broken.split("\n")[-1])}
        labels = [one["label"] for one in self.ask("textDocument/completion", position=end)["items"]]
        self.assertIn("matmul", labels)
        self.assertIn("tile", labels)
        self.assertIn("FP16", labels)
        self.text = head + "        acc = pl.load(w, [0, 0], [32, 64], target_memory=pl.Mem."
        self.client.notify("textDocument/didChange", {"textDocument": {"uri": self.uri, "version": 2},
                                                      "contentChanges": [{"text": self.text}]})
        end["character"] = len(self.text.split("\n")[-1])
        labels = [one["label"] for one in self.ask("textDocument/completion", position=end)["items"]]
        self.assertEqual(labels, ["Acc", "Bias", "Left", "Mat", "Right", "Vec"])
        self.text = head + "        acc = pl.matmul(a_l1, b_trans=True, "
        self.client.notify("textDocument/didChange", {"textDocument": {"uri": self.uri, "version": 3},
                                                      "contentChanges": [{"text": self.text}]})
        end["character"] = len(self.text.split("\n")[-1])
        items = self.ask("textDocument/completion", position=end)["items"]
        labels = [one["label"] for one in items]
        for name in ("out_dtype=", "w_l1", "act", "STEP"):
            self.assertIn(name, labels)
        self.assertNotIn("b_trans=", labels, "it is given")
        self.assertNotIn("lhs=", labels, "it is given by its place")
        help_ = self.ask("textDocument/signatureHelp", position=end)
        self.assertIn("pl.matmul(lhs: Tensor, rhs: Tensor, out_dtype: DataType = None", help_["signatures"][0]["label"])
        self.assertEqual(help_["activeParameter"], 2)
        end["character"] -= 5
        help_ = self.ask("textDocument/signatureHelp", position=end)
        active = help_["signatures"][help_["activeSignature"]]["parameters"][help_["activeParameter"]]
        self.assertEqual(active["label"], "b_trans: bool = False")
        symbols = self.ask("textDocument/documentSymbol")
        self.assertEqual([one["name"] for one in symbols], ["STEP", "Lanes"], "a broken text keeps its outline")

    def test_completion_knows_what_a_place_is_for(self):
        self.start()

        def labels(line, version):
            text = KERNEL.replace("        res = self.kern(act, w, res)\n", line.replace("@", "") + "\n")
            self.client.notify("textDocument/didChange", {"textDocument": {"uri": self.uri, "version": version},
                                                          "contentChanges": [{"text": text}]})
            self.text = text
            return [one["label"] for one in self.ask("textDocument/completion", line)["items"]]
        self.assertEqual(labels("        # see pl.@", 2), [])
        self.assertIsNone(self.ask("textDocument/signatureHelp", "# see pl@."))
        self.assertEqual(labels("        x = 'pl.@'", 3), [])
        self.assertEqual(labels("        def f@", 4), [])
        self.assertEqual(labels("        res = self.@", 5), ["kern", "main"])
        found = labels("        t = pl.load(w, [0, 0], [16, 64], target@_memory=pl.Mem.Mat)", 6)
        self.assertIn("target_memory", found)
        self.assertNotIn("target_memory=", found)

    def test_hints_and_lenses(self):
        self.start(KERNEL.replace("[24, 0]", "[32, 0]"))
        whole = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
        labels = [one["label"] for one in self.ask("textDocument/inlayHint", range=whole)]
        self.assertIn("[1, 4, 6, 16, 16]", labels)
        self.assertIn("at [0, 0, 2, 0, 0] size [1, 4, 2, 16, 16]", labels)
        self.assertIn(": [32, 64] FP16 Mat", labels)
        self.assertIn(": [16, 32] FP32 Acc", labels)
        first = {"start": {"line": 0, "character": 0}, "end": {"line": 1, "character": 0}}
        self.assertEqual(self.ask("textDocument/inlayHint", range=first), [])
        lenses = self.ask("textDocument/codeLens")
        self.assertEqual([one["command"]["command"] for one in lenses[:3]], ["placid.showPto", "placid.showIr", "placid.showPicture"])
        self.assertEqual(lenses[0]["command"]["arguments"], [self.uri, "Lanes.kern"])
        self.assertRegex(lenses[3]["command"]["title"], r"L0C 2 of 128 KiB")
        self.assertTrue(any(label.startswith("L0 tile 16 x 32 x ") for label in labels), labels)

    def test_semantic_tokens(self):
        client = self.start()
        legend = client.about["capabilities"]["semanticTokensProvider"]["legend"]["tokenTypes"]

        def decoded(data):
            line = character = 0
            out = []
            for at in range(0, len(data), 5):
                down, right, length, kind, _ = data[at:at + 5]
                line, character = line + down, right if down else character + right
                out.append((self.text.split("\n")[line][character:character + length], legend[kind]))
            return out

        whole = self.ask("textDocument/semanticTokens/full")
        tokens = decoded(whole["data"])
        for token in (("pl", "namespace"), ("load", "function"), ("act", "parameter"), ("acc", "variable"), ("Lanes", "class")):
            self.assertIn(token, tokens)
        self.text = KERNEL.replace("acc = pl.matmul", "accumulator = pl.matmul")
        client.notify("textDocument/didChange", {"textDocument": {"uri": self.uri, "version": 2},
                                                 "contentChanges": [{"text": self.text}]})
        delta = self.ask("textDocument/semanticTokens/full/delta", previousResultId=whole["resultId"])
        data = list(whole["data"])
        for edit in delta["edits"]:
            data[edit["start"]:edit["start"] + edit["deleteCount"]] = edit["data"]
        fresh = self.ask("textDocument/semanticTokens/full")["data"]
        self.assertEqual(data, fresh)
        self.assertLess(sum(len(edit["data"]) for edit in delta["edits"]), len(fresh))
        stale = self.ask("textDocument/semanticTokens/full/delta", previousResultId="none")
        self.assertEqual(stale["data"], fresh)

    def test_views(self):
        client = self.start(KERNEL.replace("[24, 0]", "[32, 0]"))
        pto = self.ask("placid/ir", emit="pto", kernel="Lanes.kern")
        self.assertIn("pto.", pto["text"])
        self.assertIn("BlockNzTensorViews", pto["passes"])
        after = self.ask("placid/ir", after="BlockNzTensorViews")
        self.assertIn("pl.tile.load", after["text"])
        client.notify("textDocument/didChange", {"textDocument": {"uri": self.uri, "version": 2},
                                                 "contentChanges": [{"text": KERNEL}]})
        self.assertIn("PL3105", self.ask("placid/ir", emit="pto")["text"], "why there is none")
        error = client.answer("placid/ir", {"textDocument": {"uri": self.uri}, "after": "Nope"})["error"]
        self.assertIn("Nope", error["message"])
        self.assertTrue(self.ask("placid/picture")["text"].startswith("<svg"))
        drawn = self.ask("placid/picture", "w: @pl.Tensor", format="text")
        self.assertEqual(set(drawn["tensors"]), {"w"})
        error = client.answer("placid/picture", {"textDocument": {"uri": self.uri}, "format": "png"})["error"]
        self.assertIn("png", error["message"])

    def test_settings_of_the_project(self):
        settings = self.root / "placid.toml"
        settings.write_text("arch = 'a9'\n[defines]\nSTEP = 16\n", encoding="utf-8")
        text = KERNEL.replace("STEP = T", "STEP = 24").replace("[24, 0]", "[STEP, 0]")
        client = self.start(text)
        self.assertEqual([d["code"] for d in client.diagnostics(self.uri, 1)], [], "STEP is 16 by the settings")
        found = client.published[settings.as_uri()]["diagnostics"]
        self.assertEqual([(d["code"], d["range"]["start"]) for d in found], [("bad-setting", {"line": 0, "character": 7})])
        # Written by another program.
        settings.write_text("arch = 'a3'\n", encoding="utf-8")
        client.published.clear()
        client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": settings.as_uri(), "type": 2}]})
        self.assertIn("PL3105", [d["code"] for d in client.diagnostics(self.uri, 1)])
        self.assertEqual(client.published[settings.as_uri()]["diagnostics"], [])
        # Typed in the editor.
        client.open(settings.as_uri(), "arc = 'a3'\n", 7)
        self.assertEqual([d["severity"] for d in client.diagnostics(settings.as_uri(), 7)], [2])
        self.assertEqual(client.request("textDocument/diagnostic", {"textDocument": {"uri": settings.as_uri()}})["items"], [])
        self.assertIsNone(client.request("textDocument/hover", {"textDocument": {"uri": settings.as_uri()},
                                                                "position": {"line": 0, "character": 0}}))

    def test_everything_on_every_half_typed_text(self):
        """No question about a text that breaks off anywhere fails, and positions beyond its end are no fault."""
        client = self.start()
        client.notify("textDocument/didClose", {"textDocument": {"uri": self.uri}})
        asked = ("documentSymbol", "foldingRange", "codeLens", "documentLink", "semanticTokens/full")
        placed = ("hover", "completion", "signatureHelp", "definition", "documentHighlight", "prepareCallHierarchy")
        for cut in range(40, len(KERNEL), 97):
            text = KERNEL[:cut]
            client.open(self.uri, text, cut)
            for method in asked:
                self.ask("textDocument/" + method)
            for position in (place(text + "\0", "\0"), {"line": 9999, "character": 9999}):
                for method in placed:
                    self.ask("textDocument/" + method, position=position)
                self.ask("textDocument/selectionRange", positions=[position])
                self.ask("textDocument/references", position=position, context={"includeDeclaration": False})


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--server", required=True, help="command line of the server")
    options, rest = parser.parse_known_args()
    SERVER.extend(shlex.split(options.server))
    result = unittest.main(argv=[sys.argv[0], *rest], exit=False).result
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
