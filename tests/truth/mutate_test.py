#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The sites of mutate.py: every integer that a text of emitted PTO IR uses is one, and a mutant is a text that still parses."""
import pathlib
import re
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import mutate  # noqa: E402

TILE = "!pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=64, v_row=?, v_col=?>"
TEXT = f"""module attributes {{pto.target_arch = "a3"}} {{
  func.func @k_aic(%arg0: !pto.ptr<f32>, %arg1: i32) attributes {{pto.kernel_kind = #pto.kernel_kind<cube>}} {{
    %c0_index = arith.constant 0 : index
    %c16_index = arith.constant 16 : index loc("k.py":1:2)
    %c512_i64 = arith.constant 512 : i64
    %b = pto.reserve_buffer {{name = "b", size = 2048, location = #pto.address_space<vec>, auto = false, base = 64}} -> i32
    %x_view = pto.make_tensor_view %arg0, shape = [%c16_index, %c16_index], strides = [%c16_index, %c0_index] : !pto.tensor_view<?x?xf32>
    %at = arith.index_cast %arg1 : i32 to index
    %q = arith.floordivsi %at, %c16_index : index
    %less = arith.cmpi slt, %q, %at : index
    %s = arith.select %less, %q, %at : index
    %m = arith.minsi %s, %c16_index : index
    %t = pto.alloc_tile addr = %c512_i64 valid_row = %m valid_col = %c16_index : {TILE}
    %w = pto.subview %t[%m, %c0_index] sizes [8, 64] valid [%m, %c16_index] : {TILE} -> {TILE}
    %e = pto.load_scalar %arg0[%m] : !pto.ptr<f32> -> f32
    %p = pto.tpop_from_aic(%m, %c16_index) {{split = 1}} -> {TILE}
    %r:2 = scf.for %i = %c0_index to %m step %c16_index iter_args(%a = %m, %v = %e) -> (index, f32) {{
      pto.store_scalar %v, %arg0[%a] : !pto.ptr<f32>, f32
      scf.yield %a, %v : index, f32
    }}
    return
  }}
  func.func @k_aiv(%arg0: !pto.ptr<f32>) attributes {{pto.kernel_kind = #pto.kernel_kind<vector>}} {{
    %c0_index = arith.constant 0 : index
    %q = arith.constant 1.0 : f32
    pto.store_scalar %q, %arg0[%c0_index] : !pto.ptr<f32>, f32
    return
  }}
}}
"""


class Mutants(unittest.TestCase):
    def setUp(self):
        self.made = list(mutate.mutants(TEXT))
        self.kinds = {re.sub(r"^line \d+: ", "", description).split(" ->")[0].rsplit(" ", 1)[0] for description, _ in self.made}

    def test_every_integer_is_a_site(self):
        for kind in (
            "base", "split", "pto.make_tensor_view shape[0]", "pto.make_tensor_view strides[2]", "arith.index_cast operand[0] %arg1",
            "arith.floordivsi operand[1]", "arith.cmpi operand[0] %q", "arith.select operand[0]", "arith.select operand[2] %at",
            "arith.minsi operand[0] %s", "arith.minsi operand[1]", "pto.alloc_tile addr[0]", "pto.alloc_tile valid_row[1] %m",
            "pto.alloc_tile valid_col[2]", "pto.subview operand[0] %m", "pto.subview operand[1]", "pto.subview valid[2] %m", "pto.subview size",
            "pto.load_scalar operand[0] %m", "pto.tpop_from_aic operand[1]", "scf.for operand[0]", "scf.for operand[1] %m", "pto.store_scalar operand[0] %a",
        ):  # fmt: skip
            with self.subTest(kind=kind):
                self.assertTrue(any(known == kind or known.startswith(kind + " ") or known == f"{kind} not" for known in self.kinds), sorted(self.kinds))

    def test_what_is_no_integer_is_none(self):
        self.assertFalse([kind for kind in self.kinds if "arith.constant" in kind or "%arg0" in kind or "%e" in kind])

    def test_what_is_new_is_known_in_its_function(self):
        for description, text in self.made:
            lines = text.splitlines()
            uses = [i for i, line in enumerate(lines) if "%mutant" in line]
            if uses:
                with self.subTest(mutant=description):
                    self.assertEqual(len(uses), 2)
                    self.assertRegex(lines[uses[0]], r"^ +%mutant = ")
                    self.assertFalse(any("func.func" in line for line in lines[uses[0] : uses[1] + 1]))

    def test_a_divided_number_grows_by_what_divides_it(self):
        text = next(text for description, text in self.made if "arith.floordivsi operand[0] %at + 16" in description)
        self.assertIn("%by = arith.constant 16 : index", text)


if __name__ == "__main__":
    unittest.main()
