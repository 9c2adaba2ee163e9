// SPDX-License-Identifier: Apache-2.0
// Imports of PL, and what only looks like one.
#include "compiler/driver/compiler_service.h"

#include <gtest/gtest.h>

namespace placid::compiler {
namespace {

TEST(ImportsPl, EveryFormOfImport) {
  for (const char *text : {"import pypto.language as pl\n",
                           "from pypto import language as pl",
                           "from pypto.language import jit",
                           "import torch, pypto.language as pl",
                           "if True:\n    import pypto_pro.language as pl\n",
                           "from pypto_pro import language\n",
                           "from pypto import ir, language as pl\n",
                           "from pypto import (\n    ir,  # (more)\n    language as pl,\n)\n",
                           "from pypto import \\\n    language\n",
                           "from pypto import \\\r\n    language\r\n",
                           "# a comment\rimport pypto.language as pl\r",
                           "s = 'open\rimport pypto.language as pl\r",
                           "import pypto.language.distributed as pld",
                           "import pypto\n\n@pypto.language.jit\ndef k(): ...\n",
                           "\"\"\"It's a text.\"\"\"\nimport pypto.language as pl\n",
                           "pl = importlib.import_module('pypto.language')\n",
                           "s = 'it\\'s'; import pypto.language as pl",
                           "broken = 'no end\nimport pypto.language as pl\n",
                           "'''no end\nimport pypto.language as pl\n",
                           "import pypto.languag(e as pl\n",
                           "impor\"t pypto.language as pl\n"}) {
    EXPECT_TRUE(importsPl(text)) << text;
  }
}

TEST(ImportsPl, WhatOnlyMentionsPl) {
  for (const char *text :
       {"", "import torch\n", "import pypto\n", "# import pypto.language as pl\n", "import pypto.languages\n",
        "import mypypto.language\n", "import other.pypto.language\n", "from pypto import ir\nlanguage = 1\n",
        "\"\"\"Example:\n\n    import pypto.language as pl\n\"\"\"\nx = 1\n",
        "message = 'import pypto.language as pl'\n", "x = '\\", "from pypto import (ir)\nlanguage = 2\n"}) {
    EXPECT_FALSE(importsPl(text)) << text;
  }
}

} // namespace
} // namespace placid::compiler
