// SPDX-License-Identifier: Apache-2.0
#include "compiler/toolchain/kernel_cpp.h"
#include "compiler/toolchain/pto_places.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace placid::toolchain {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char *kUnit = R"(module attributes {pto.target_arch = "a3"} {
  func.func @kern(%arg0: !pto.ptr<f16>, %arg1: i32) attributes {pto.kernel_kind = #pto.kernel_kind<vector>} {
    %c0_i64 = arith.constant 0 : i64 loc("k.py":5:9)
    %x = pto.alloc_tile addr = %c0_i64 : !pto.tile_buf<loc=vec, dtype=f16> loc("k.py":9:13)
    pto.tload ins(%v : !a) outs(%x : !b) loc("k.py":9:13)
    pto.tload ins(%v : !a) outs(%x : !b) loc("k.py":10:13)
    pto.tadd ins(%x, %x : !b) outs(%x : !b)
    return loc("k.py":5:9)
  } loc("k.py":5:9)
}
)";

constexpr const char *kGenerated = R"(#include "pto/pto-inst.hpp"
AICORE void kern(__gm__ half* v1, int32_t v2) {
  #if defined(__DAV_VEC__)
  // pto: %x
  Tile<half> v12;
  TASSIGN(v12, v13);
  set_flag(PIPE_M);
  TLOAD(v12, v16);
  TLOAD(v12, v16);
  TADD(v12, v12, v12);
  #endif // __DAV_VEC__
  return;
}
)";

TEST(PtoPlaces, LinesDefinitionsOperations) {
  PtoPlaces places(kUnit);
  ASSERT_EQ(places.functions().size(), 1U);
  EXPECT_EQ(places.functions()[0].name, "kern");
  EXPECT_FALSE(places.functions()[0].cube);
  EXPECT_EQ(places.function(), (Place{"k.py", 5, 9}));
  EXPECT_EQ(places.source(4), (Place{"k.py", 9, 13}));
  EXPECT_EQ(places.source(7), (Place{"k.py", 10, 13})) << "a line without a place has that of the line before";
  EXPECT_EQ(places.source(1), (Place{"k.py", 5, 9})) << "before the first, the function's";
  EXPECT_EQ(places.source(4000000000U), (Place{"k.py", 5, 9}));
  EXPECT_EQ(places.definition("x"), 4U);
  EXPECT_EQ(places.definition("y"), 0U);
  EXPECT_EQ(places.operation("tload", 0), 5U);
  EXPECT_EQ(places.operation("tload", 5), 6U);
  EXPECT_EQ(places.operation("tload", 6), 0U);
}

TEST(PtoPlaces, Locations) {
  size_t length = 0;
  EXPECT_EQ(parseLocation(R"(loc("a\22b.py":3:4) rest)", length), (Place{"a\"b.py", 3, 4}));
  EXPECT_EQ(parseLocation(R"(loc("x"("k.py":12:8)): error)", length), (Place{"k.py", 12, 8}));
  EXPECT_EQ(length, 21U);
  for (const char *text : {"", "loc(", "loc(unknown)", "loc(\"a\"", "loc(\"a\":x:1)", "loc(\"a\":1)",
                           "loc(\"a\"(\"b\":1:1)", "loc(#loc1)"}) {
    EXPECT_EQ(parseLocation(text, length).line, 0U) << text;
  }
}

constexpr const char *kMixedUnit = R"(module attributes {pto.target_arch = "a3"} {
  func.func @kern_aic(%arg0: !pto.ptr<f16>) attributes {pto.kernel_kind = #pto.kernel_kind<cube>} {
    %a = pto.alloc_tile addr = %c0_i64 : !a loc("k.py":3:1)
    pto.tload ins(%v : !a) outs(%a : !b) loc("k.py":4:1)
    return loc("k.py":1:1)
  } loc("k.py":1:1)
  func.func @kern_aiv(%arg0: !pto.ptr<f16>, %arg1: i32) attributes {pto.kernel_kind = #pto.kernel_kind<vector>} {
    %a = pto.alloc_tile addr = %c0_i64 : !a loc("k.py":6:1)
    pto.tload ins(%v : !a) outs(%a : !b) loc("k.py":7:1)
    return loc("k.py":1:1)
  } loc("k.py":1:1)
}
)";

constexpr const char *kMixedGenerated = R"(#include "pto/pto-inst.hpp"
AICORE void kern_aic(__gm__ half* v1) {
  // pto: %a
  Tile<half> v2;
  TLOAD(v2, v1);
}

AICORE void kern_aiv(__gm__ half* v1, int32_t v2) {
  // pto: %a
  Tile<half> v3;
  TLOAD(v3, v1);
}
)";

TEST(KernelCpp, BothCoresOfAMixedKernelHaveAnEntry) {
  KernelCpp made = makeKernelCpp(kMixedGenerated, kMixedUnit, "kern.pto", "kern.cpp");
  ASSERT_EQ(made.error, "");
  EXPECT_THAT(made.text, HasSubstr("#line 3 \"kern.pto\"\n  Tile<half> v2;\n#line 4 \"kern.pto\"\n  TLOAD(v2, v1);\n"));
  EXPECT_THAT(made.text, HasSubstr("#line 8 \"kern.pto\"\n  Tile<half> v3;\n#line 9 \"kern.pto\"\n  TLOAD(v3, v1);\n"))
      << "names are those of the second function";
  size_t cube = made.text.find("#if defined(__DAV_CUBE__)\n");
  size_t vector = made.text.find("#if defined(__DAV_VEC__)\n");
  ASSERT_TRUE(cube != std::string::npos && vector != std::string::npos);
  EXPECT_THAT(made.text.substr(cube, vector - cube), HasSubstr("  kern_aic((__gm__ half*)args[0]);\n}\n#endif\n"));
  EXPECT_THAT(made.text.substr(vector),
              HasSubstr("  kern_aiv((__gm__ half*)args[0], *(__gm__ int32_t *)&args[1]);\n}\n#endif\n"));
  std::string half(kMixedGenerated);
  half.resize(half.find("AICORE void kern_aiv"));
  EXPECT_EQ(makeKernelCpp(half, kMixedUnit, "kern.pto", "kern.cpp").error, "it does not define `kern_aiv`");
}

TEST(KernelCpp, MarkersLeadToTheUnitAndBack) {
  KernelCpp made = makeKernelCpp(kGenerated, kUnit, "kern.pto", "kern.cpp");
  ASSERT_EQ(made.error, "");
  EXPECT_THAT(made.text, HasSubstr("#line 4 \"kern.pto\"\n  Tile<half> v12;\n"));
  EXPECT_THAT(made.text, HasSubstr("#line 4 \"kern.pto\"\n  TASSIGN(v12, v13);\n"));
  EXPECT_THAT(made.text,
              HasSubstr("#line 5 \"kern.pto\"\n  TLOAD(v12, v16);\n#line 6 \"kern.pto\"\n  TLOAD(v12, v16);\n"));
  EXPECT_THAT(made.text, HasSubstr("#line 7 \"kern.pto\"\n  TADD("));
  EXPECT_THAT(made.text, Not(HasSubstr("\"kern.pto\"\n  #endif")));
  // The marker back names the line that follows it.
  size_t back = made.text.find("\"kern.cpp\"\n");
  ASSERT_NE(back, std::string::npos);
  size_t next =
      2 + static_cast<size_t>(std::count(made.text.begin(), made.text.begin() + static_cast<long>(back), '\n'));
  EXPECT_THAT(made.text, HasSubstr("#line " + std::to_string(next) + " \"kern.cpp\"\n"));
  EXPECT_THAT(
      made.text,
      HasSubstr(
          "kernel_entry(__gm__ int64_t *args) {\n  kern((__gm__ half*)args[0], *(__gm__ int32_t *)&args[1]);\n}\n"));
}

TEST(KernelCpp, AChoiceInASumNeedsItsParentheses) {
  auto errorOf = [](const std::string &statement) {
    std::string text(kGenerated);
    text.insert(text.rfind("\n}") + 1, "  " + statement + ";\n");
    return makeKernelCpp(text, kUnit, "kern.pto", "kern.cpp").error;
  };
  for (const char *wrong : {"int64_t v9 = v1 + v2 < v3 ? v3 : v2", "f(v0, (v1 * v4 - v2 > v3 ? v3 : v2), v5)",
                            "int64_t v9 = v1 < v2 ? v2 : v1 + v2 < v3 ? v3 : v2"}) {
    EXPECT_THAT(errorOf(wrong), HasSubstr("the choice in `v2 ")) << wrong;
  }
  // One that stands alone, that has them, that is of a sum, or of something else.
  for (const char *good :
       {"int64_t v9 = v2 < v3 ? v3 : v2", "int64_t v9 = v1 + (v2 < v3 ? v3 : v2)", "f(v1, v2 < v3 ? v3 : v2)",
        "int64_t v9 = v1 + v2 < v3 ? v3 : v1 + v2", "int64_t v9 = v1 + v2 < v3 ? v4 : v2", "int64_t v9 = a ? b : c",
        "int64_t v9 = (v1 + v2) < v3 ? v3 : v4"}) {
    EXPECT_EQ(errorOf(good), "") << good;
  }
}

TEST(KernelCpp, OtherTextIsRefused) {
  EXPECT_EQ(makeKernelCpp("", kUnit, "k.pto", "k.cpp").error, "it does not define `kern`");
  EXPECT_EQ(makeKernelCpp("AICORE void other(int v) {\n}\n", kUnit, "k.pto", "k.cpp").error,
            "it does not define `kern`");
  EXPECT_NE(makeKernelCpp(kGenerated, "not a unit", "k.pto", "k.cpp").error, "");
}

} // namespace
} // namespace placid::toolchain
