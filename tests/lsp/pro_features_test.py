#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What an editor gets for kernels of pypto_pro, asked of a real server: diagnostics, hovers, hints, completion, fixes.

Every fix of every rule below tests/cases/pro/rules is applied and the text checked again.
"""
import argparse
import pathlib
import shlex
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(HERE.parent))
import features_test  # noqa: E402
from features_test import Client, apply, place, text_at  # noqa: E402
from pro_tables import MEMORIES, tile  # noqa: E402

RULES = HERE.parent / "cases" / "pro" / "rules"

KERNEL = """\
import pypto_pro.language as pl


@pl.vector_function
def twice(src, dst):
    mask = vf.create_mask(pattern=pl.MaskPattern.ALL, dtype=pl.DT_FP32)
    reg = vf.load_align(src, 0)
    vf.store_align(dst, vf.adds(reg, 1.0, mask), mask)


@pl.jit
def kern(
    w: pl.Tensor[[37, 90], pl.DT_FP16, pl.NZ],
    y: pl.Tensor[[64, 128], pl.DT_FP32],
):
    nz_type = pl.TileType(shape=[16, 32], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat)
    row_type = pl.TileType(shape=[64, 128], dtype=pl.DT_FP32)
    left_type = pl.TileType(shape=[16, 32], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Left)
    window = pl.make_tile_group(type=nz_type, addrs=0x0, mutex_ids=[0]).current()
    rows = pl.make_tile_group(type=row_type, addrs=0x0, mutex_ids=[1]).current()
    left = pl.make_tile(left_type, addr=0x0)
    with pl.section_cube():
        pl.load(window, w, [5, 64])
        pl.move(left, window)
    with pl.section_vector():
        pl.load(rows, y, [0, 0])
        twice(rows, rows)
        pl.store(y, rows, [0, 0])
"""


class ProFeatures(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="placid pro ")
        root = pathlib.Path(self.folder.name)
        self.uri = (root / "kern.py").as_uri()
        self.client = Client(root)
        self.version = 0

    def tearDown(self):
        self.assertEqual(self.client.close(), 0)
        self.folder.cleanup()

    def show(self, text):
        """The diagnostics of `text` in the editor."""
        self.text = text
        self.version += 1
        if self.version == 1:
            self.client.open(self.uri, text)
        else:
            self.client.notify("textDocument/didChange", {"textDocument": {"uri": self.uri, "version": self.version},
                                                          "contentChanges": [{"text": text}]})
        return self.client.diagnostics(self.uri, self.version)

    def ask(self, method, what, **more):
        return self.client.request("textDocument/" + method, {
            "textDocument": {"uri": self.uri}, "position": place(self.text, what), **more})

    def hover(self, what):
        return self.ask("hover", what)["contents"]["value"]

    def test_a_sound_kernel_has_no_errors(self):
        self.assertEqual([d for d in self.show(KERNEL) if d["severity"] == 1], [])

    def test_diagnostics_have_their_places(self):
        found = self.show(KERNEL.replace("[5, 64]", "[5, 65]"))
        wrong = [d for d in found if d["severity"] == 1]
        self.assertEqual([d["codeDescription"]["href"].rsplit("/", 1)[-1][:6] for d in wrong], [d["code"] for d in wrong])
        self.assertEqual(text_at(self.text, wrong[0]["range"]), "65")
        self.assertTrue(wrong[0]["codeDescription"]["href"])
        self.assertTrue(wrong[0]["relatedInformation"])

    def test_hover_shows_storage_and_byte_order(self):
        self.show(KERNEL)
        shown = self.hover("pl.@NZ]")
        self.assertIn("[1, 6, 3, 16, 16]", shown)
        self.assertIn("48 x 96 elements, 9216 bytes, for 37 x 90", shown)
        shown = self.hover("pl.load(win@dow")
        self.assertIn("layout=pl.NZ", shown)
        self.assertIn("fractals in column order, rows inside each, boxes of 16 x 16, 1024 bytes", shown)
        shown = self.hover("pl.store(y, ro@ws")
        self.assertIn("layout=pl.ND", shown)
        self.assertIn("32768 bytes", shown)
        access = self.hover("w, [5@, 64]")
        self.assertIn("load of NZ tensor **w** to `window`", access)

    def test_hover_and_signatures_of_operations(self):
        self.show(KERNEL)
        self.assertIn("pl.load(dst_tile, src_tensor, offsets, *, order?)", self.hover("pl.lo@ad(window"))
        help_ = self.ask("signatureHelp", "pl.move(left, @window")
        self.assertEqual(help_["signatures"][0]["label"],
                         "pl.move(dst_tile, src_tile, offset?, *, acc_to_vec_mode?, relu_pre_mode?, scale?, phase?)")
        self.assertEqual(help_["activeParameter"], 1)
        help_ = self.ask("signatureHelp", "vf.load_align(@src")
        self.assertTrue(help_["signatures"][0]["label"].startswith("vf.load_align(src, offset?"))

    def test_completion(self):
        self.show(KERNEL + "    pl.\n    pl.MemorySpace.\n    pl.load(rows, y, [0, 0], \n    vf.\n")
        labels = [one["label"] for one in self.ask("completion", "    pl.@\n    pl.M")["items"]]
        for name in ("load", "matmul_mx_acc", "system", "DT_FP4E2M1", "NZ", "MemorySpace", "make_tile_group"):
            self.assertIn(name, labels)
        self.assertNotIn("slice", labels)  # of the other dialect
        labels = [one["label"] for one in self.ask("completion", "pl.MemorySpace.@\n    pl.load")["items"]]
        self.assertIn("ScaleLeft", labels)
        self.assertIn("order=", [one["label"] for one in self.ask("completion", "y, [0, 0], @\n")["items"]])
        self.assertIn("reduce_sum", [one["label"] for one in self.ask("completion", "    vf.@\n")["items"]])

    def test_hints_name_the_layout_that_is_not_written(self):
        self.show(KERNEL)
        lines = self.text.split("\n")
        hints = self.client.request("textDocument/inlayHint", {
            "textDocument": {"uri": self.uri},
            "range": {"start": {"line": 0, "character": 0}, "end": {"line": len(lines), "character": 0}}})
        shown = {lines[one["position"]["line"]].strip().split(" ")[0]: one["label"] for one in hints}
        self.assertEqual(shown["window"], ": [16, 32] FP16 Mat NZ")
        self.assertEqual(shown["rows"], ": [64, 128] FP32 Vec ND")
        self.assertEqual(shown["left"], ": [16, 32] FP16 Left NZ")
        self.assertEqual(shown["left_type"], ": [16, 32] FP16 Left NZ")

    def test_hints_name_what_each_memory_has_without_a_layout(self):
        rows = [row for row in MEMORIES if row[4] != "-"]
        body = "".join(f"    {tile(row[0], row[1], row[2], None).replace('t =', f't{i} =')}\n" for i, row in enumerate(rows))
        self.show(f"import pypto_pro.language as pl\n\n\n@pl.jit\ndef kern(x: pl.Tensor[[64, 64], pl.DT_FP16]):\n{body}")
        lines = self.text.split("\n")
        hints = self.client.request("textDocument/inlayHint", {
            "textDocument": {"uri": self.uri},
            "range": {"start": {"line": 0, "character": 0}, "end": {"line": len(lines), "character": 0}}})
        shown = {lines[one["position"]["line"]].strip().split(" ")[0]: one["label"] for one in hints}
        for i, (space, dtype, shape, _, layout, _) in enumerate(rows):
            with self.subTest(space=space, dtype=dtype):
                self.assertEqual(shown.get(f"t{i}"), f": {list(shape)} {dtype} {space} {layout}")

    def test_a_helper_has_one_hint_for_the_types_of_its_calls(self):
        self.show("""import pypto_pro.language as pl


def made(rows, layout):
    t = pl.TileType(shape=[rows, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat, layout=layout)
    return pl.make_tile(t, addr=0)


@pl.jit
def kern(x: pl.Tensor[[64, 64], pl.DT_FP16]):
    a = made(64, pl.ZN)
    b = made(64, pl.ZN)
    c = made(128, pl.NZ)
""")
        hints = self.client.request("textDocument/inlayHint", {
            "textDocument": {"uri": self.uri}, "range": {"start": {"line": 4, "character": 0}, "end": {"line": 5, "character": 0}}})
        self.assertEqual([one["label"] for one in hints], [": 2 types"])
        for part in ("shape=[64, 64]", "pl.ZN", "shape=[128, 64]", "pl.NZ"):
            self.assertIn(part, str(hints[0]["tooltip"]))
        shown = self.hover("    t@ = pl.TileType")
        self.assertIn("shape=[64, 64]", shown)
        self.assertIn("shape=[128, 64]", shown)
        lenses = self.client.request("textDocument/codeLens", {"textDocument": {"uri": self.uri}})
        self.assertEqual([one["command"]["command"] for one in lenses], ["placid.showPto", "placid.showIr"])

    def test_a_declaration_says_how_many_of_its_uses_are_refused(self):
        found = self.show(KERNEL.replace("[5, 64]", "[5, 65]"))
        wrong = [d for d in found if d["severity"] == 1]
        summaries = [d for d in found if "has a use that is refused: pro-nz-offset" in d["message"]]
        self.assertEqual([text_at(self.text, d["range"]) for d in summaries], ["pl.NZ"])
        self.assertEqual(summaries[0]["relatedInformation"][0]["location"]["range"], wrong[0]["range"])

    def test_every_fix_of_every_rule_mends_its_rule(self):
        fixed = set()
        for path in sorted(RULES.glob("*_bad.py")):
            text = path.read_text(encoding="utf-8")
            found = self.show(text)
            codes = {d["code"] for d in found if d["severity"] == 1}
            for one in found:
                actions = self.client.request("textDocument/codeAction", {
                    "textDocument": {"uri": self.uri}, "range": one["range"], "context": {"diagnostics": [one]}})
                for action in actions:
                    with self.subTest(rule=path.name, fix=action["title"]):
                        after = self.show(apply(text, action["edit"]["changes"][self.uri]))
                        same = [d for d in after if d["code"] == one["code"] and d["range"]["start"] == one["range"]["start"]]
                        self.assertEqual(same, [])
                        self.assertLessEqual({d["code"] for d in after if d["severity"] == 1}, codes)
                        fixed.add(path.name[:3])
        self.assertGreaterEqual(len(fixed), 30, sorted(fixed))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--server", required=True, help="command line of the server")
    options, rest = parser.parse_known_args()
    features_test.SERVER.extend(shlex.split(options.server))
    return 0 if unittest.main(argv=[sys.argv[0], *rest], exit=False).result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
