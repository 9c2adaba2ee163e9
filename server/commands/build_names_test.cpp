// SPDX-License-Identifier: Apache-2.0
#include "server/commands/build_names.h"

#include <gtest/gtest.h>

namespace placid::server {
namespace {

LoweredFile fileOf(const std::string &path, const std::string &entry, const std::string &name,
                   const std::string &core) {
  LoweredFile out;
  out.path = path;
  compiler::LoweredKernel &kernel = out.result.kernels.emplace_back();
  kernel.name = name;
  kernel.entry = entry;
  kernel.coreType = core;
  return out;
}

TEST(BuildNames, WhatOneCoreOfAKernelWritesMayBeAnothersName) {
  std::vector<LoweredFile> all = {fileOf("m.py", "X.A", "A", "mixed"), fileOf("a.py", "A.aic", "aic", "aiv"),
                                  fileOf("b.py", "B.aic", "aic", "aiv")};
  nameApart(all);
  EXPECT_EQ(all[1].result.kernels[0].name, "A.aic");
  EXPECT_EQ(nameFault(all, BuildStage::Pto), "");
  EXPECT_EQ(nameFault(all, BuildStage::Cpp), "");
  EXPECT_EQ(nameFault(all, BuildStage::Object),
            "`A.aic.o` would be written for `A` of m.py and for `A.aic` of a.py: build them into different folders");
  all[1].result.kernels[0].name = "C.aic";
  EXPECT_EQ(nameFault(all, BuildStage::Link), "");
}

TEST(BuildNames, OneNameTwiceAndNamesThatAreNone) {
  EXPECT_EQ(nameFault({fileOf("a.py", "A.k", "A.k", "aic"), fileOf("b.py", "A.k", "A.k", "aic")}, BuildStage::Pto),
            "`A.k.pto` would be written for a.py and for b.py: build them into different folders");
  for (const char *name : {"", ".k", "a/b", ".."}) {
    EXPECT_NE(nameFault({fileOf("a.py", "k", name, "aic")}, BuildStage::Pto).find("cannot be a file's"),
              std::string::npos)
        << name;
  }
}

} // namespace
} // namespace placid::server
