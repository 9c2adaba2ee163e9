#!/usr/bin/env python3
"""Shows that scripts/check_layers and scripts/check_sizes can fail: small trees with one breach each, and one without."""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Tree(unittest.TestCase):
    script = "check_layers"

    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="placid-house-"))
        self.addCleanup(shutil.rmtree, self.root)
        shutil.copy(ROOT / "layers.toml", self.root)

    def write(self, path, text):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def run_script(self):
        done = subprocess.run([sys.executable, ROOT / "scripts" / self.script, "--root", self.root], capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    def refuses(self, path, text, words):
        self.write(path, text)
        code, out = self.run_script()
        self.assertEqual(code, 1, out)
        self.assertIn(f"{path}:", out)
        self.assertIn(words, out)

    def accepts(self, path, text):
        self.write(path, text)
        code, out = self.run_script()
        self.assertEqual(code, 0, out)


class Layers(Tree):
    def test_protocol_sees_no_compiler(self):
        self.refuses("protocol/lsp/a.h", '#include "compiler/source/text.h"\n', "protocol/lsp may not")

    def test_server_sees_no_mlir_in_either_spelling(self):
        self.refuses("server/a.cpp", "#include <mlir/IR/Builders.h>\n", "may not use mlir")
        self.refuses("server/a.cpp", '#include "llvm/ADT/StringRef.h"\n', "may not use llvm")

    def test_server_sees_the_service_but_not_its_implementation(self):
        self.accepts("server/a.cpp", '#include "compiler/driver/compiler_service.h"\n')
        self.refuses("server/b.cpp", '#include "compiler/driver/in_process.h"\n', "server may not")
        (self.root / "server/b.cpp").unlink()
        self.accepts("server/main.cpp", '#include "compiler/driver/in_process.h"\n#include "server/a.h"\n')

    def test_diagnostics_see_no_llvm(self):
        self.refuses("compiler/diagnostics/a.cpp", "#include <llvm/ADT/StringRef.h>\n", "may not use llvm")

    def test_frontend_sees_the_dialect_but_not_its_passes(self):
        self.accepts("compiler/frontend/a.cpp", '#include "compiler/dialect/pl/ir/pl.h"\n')
        self.refuses("compiler/frontend/b.cpp", '#include "compiler/dialect/pl/transforms/passes.h"\n', "compiler/frontend may not")

    def test_unknown_headers_and_folders(self):
        self.refuses("protocol/a.cpp", "#include <curl/curl.h>\n", "in no family")
        self.refuses("compiler/strange/a.cpp", "int a;\n", "in no layer")

    def test_gtest_in_tests_only(self):
        self.accepts("protocol/lsp/a_test.cpp", "#include <gtest/gtest.h>\n")
        self.refuses("protocol/lsp/a.cpp", "#include <gtest/gtest.h>\n", "may not use gtest")

    def test_forbidden_text(self):
        self.refuses("compiler/dialect/pl/transforms/a.cpp", "void f() { op.emitError() << 1; }\n", "go through compiler/mlir_bridge")
        self.refuses("server/a.cpp", "void f() { throw 1; }\n", "failures are values")
        self.refuses("protocol/a.cpp", "int a; // NOLINT\n", "names its check")

    def test_comments_and_strings_are_not_code(self):
        self.accepts("server/a.cpp", '// throw\n/* catch (x)\n throw */ const char *a = "throw //";\n')

    def test_broken_rules_are_told(self):
        self.write("layers.toml", '[families]\n[[layer]]\npath = "a"\nuses = ["b"]\n')
        code, out = self.run_script()
        self.assertEqual(code, 2, out)
        self.assertIn("unknown family b", out)


class Sizes(Tree):
    script = "check_sizes"

    def test_limits(self):
        self.accepts("compiler/a.cpp", "int a;\n" * 599)
        code, out = self.run_script()
        self.assertNotIn("a.cpp", out)
        self.accepts("compiler/a.cpp", "int a;\n" * 601)
        self.assertIn("better under 600", self.run_script()[1])
        self.refuses("compiler/a.cpp", "int a;\n" * 1001, "at most 1000")

    def test_tables_are_exempt(self):
        self.accepts("compiler/a.cpp", "// clang-format off\n" + "int a;\n" * 1001)


if __name__ == "__main__":
    unittest.main()
