# SPDX-License-Identifier: Apache-2.0
"""lit's configuration: the .mlir tests beside the code they test. CTest runs it as `lit`; by hand:
lit -sv --param build_dir=build/release compiler/dialect/pl"""
import os

import lit.formats

config.name = "placid"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir"]
config.test_source_root = os.path.dirname(os.path.abspath(__file__))
config.excludes = ["build", "node_modules", "inputs", "docs", "examples", "scripts", "clients", "lit.cfg.py"]

build = os.path.abspath(lit_config.params.get("build_dir", os.path.join(config.test_source_root, "build", "release")))
llvm_tools = lit_config.params.get("llvm_tools", "/usr/lib/llvm-22/bin")
config.test_exec_root = os.path.join(build, "lit")
config.environment["PATH"] = os.pathsep.join([os.path.join(build, "bin"), llvm_tools, os.environ.get("PATH", "")])
config.environment["FILECHECK_OPTS"] = "--enable-var-scope --dump-input-filter=error"
for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
