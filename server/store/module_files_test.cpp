// SPDX-License-Identifier: Apache-2.0
#include "server/store/disk_sources.h"
#include "server/store/module_files.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace placid::server {
namespace {

namespace fs = std::filesystem;

struct ModuleFiles : ::testing::Test {
  fs::path folder;
  DiskSources sources;
  ModuleFiles() {
    std::string pattern = (fs::temp_directory_path() / "placid-modules-XXXXXX").string();
    folder = ::mkdtemp(pattern.data());
    for (const char *path :
         {"top.py", "pkg/__init__.py", "pkg/config.py", "pkg/deep/kern.py", ".hidden/x.py", "venv/y.py"}) {
      fs::create_directories((folder / path).parent_path());
      std::ofstream(folder / path) << "x = 1\n";
    }
  }
  ~ModuleFiles() override { fs::remove_all(folder); }
  std::string at(const char *path) { return (folder / path).string(); }
};

TEST_F(ModuleFiles, FindsWhatAnImportMeans) {
  std::string kern = at("pkg/deep/kern.py");
  EXPECT_EQ(findModule("..config", kern, {}, sources), at("pkg/config.py"));
  EXPECT_EQ(findModule("..", kern, {}, sources), at("pkg/__init__.py")) << "the package itself";
  EXPECT_EQ(findModule("pkg.config", kern, {}, sources), at("pkg/config.py")) << "below a folder above";
  EXPECT_EQ(findModule("pkg.config", "/elsewhere/k.py", {folder.string()}, sources), at("pkg/config.py"));
  EXPECT_EQ(findModule("pkg", at("top.py"), {}, sources), at("pkg/__init__.py"));
  EXPECT_EQ(findModule("numpy", kern, {folder.string()}, sources), std::nullopt);
  EXPECT_EQ(findModule("", kern, {}, sources), std::nullopt);
}

TEST_F(ModuleFiles, ListsPythonFilesInOrder) {
  std::vector<std::string> expected{at("pkg/__init__.py"), at("pkg/config.py"), at("pkg/deep/kern.py"), at("top.py")};
  EXPECT_EQ(pythonFiles({folder.string(), folder.string()}, 100), expected);
  bool whole = true;
  EXPECT_EQ(pythonFiles({folder.string()}, 4, &whole), expected);
  EXPECT_TRUE(whole);
  EXPECT_EQ(pythonFiles({folder.string()}, 2, &whole).size(), 2U);
  EXPECT_FALSE(whole);
  EXPECT_TRUE(pythonFiles({at("missing")}, 100).empty());
}

TEST_F(ModuleFiles, KnowsWhereAFileIsImportedFrom) {
  EXPECT_EQ(importFolder(at("pkg/config.py")), folder.string());
  EXPECT_EQ(importFolder(at("pkg/deep/kern.py")), at("pkg/deep")) << "no package";
}

TEST_F(ModuleFiles, SeesWordsInFilesThatAreNoText) {
  std::ofstream(at("odd.py")) << "\xff\xfe" << std::string(size_t{256} * 1024 - 4, 'a') << "needle" << '\0' << "hay";
  EXPECT_TRUE(fileHolds(at("odd.py"), {"needle", "hay"})) << "across what is read at once";
  EXPECT_FALSE(fileHolds(at("odd.py"), {"needle", "straw"}));
  EXPECT_FALSE(fileHolds(at("missing.py"), {"x"}));
  EXPECT_FALSE(fileHolds(folder.string(), {"x"}));
}

TEST_F(ModuleFiles, OneFileIsListedOnce) {
  fs::create_symlink(folder / "top.py", folder / "a_link.py");
  fs::create_directories(folder / "outside" / ".hidden");
  std::ofstream(folder / ".hidden/z.py") << "x = 1\n";
  fs::create_symlink(folder / ".hidden/z.py", folder / "z1.py");
  fs::create_symlink(folder / ".hidden/z.py", folder / "z2.py");
  std::vector<std::string> expected{at("pkg/__init__.py"), at("pkg/config.py"), at("pkg/deep/kern.py"), at("top.py"),
                                    at("z1.py")};
  EXPECT_EQ(pythonFiles({folder.string()}, 100), expected);
}

} // namespace
} // namespace placid::server
