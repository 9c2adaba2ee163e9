// SPDX-License-Identifier: Apache-2.0
#include "server/build/toolchains/discovery.h"
#include "server/build/toolchains/elf_needs.h"
#include "server/build/toolchains/identity.h"

#include <gmock/gmock.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace placid::server {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::EndsWith;
using ::testing::HasSubstr;

class Toolchains : public ::testing::Test {
protected:
  Toolchains() {
    std::string name = (fs::temp_directory_path() / "placid-tools-XXXXXX").string();
    folder = fs::canonical(::mkdtemp(name.data())).string();
  }
  ~Toolchains() override {
    std::error_code error;
    fs::remove_all(folder, error);
  }
  std::string program(const std::string &path, const std::string &text = "#!/bin/sh\n") {
    std::string whole = folder + "/" + path;
    fs::create_directories(fs::path(whole).parent_path());
    std::ofstream(whole) << text;
    fs::permissions(whole, fs::perms::owner_all);
    return whole;
  }
  ToolchainTools find(const char *name, std::map<std::string, std::string, std::less<>> variables) {
    ToolEnvironment environment(std::move(variables));
    return findTools(*toolchain::findToolchain(name), environment, readUserSettings(environment));
  }
  std::string folder;
};

TEST_F(Toolchains, RootComesBeforePath) {
  std::string onPath = program("path/ptoas");
  std::string inRoot = program("root/bin/ptoas");
  EXPECT_EQ(find("cpu-sim", {{"PATH", folder + "/path"}}).ptoas.path, onPath);
  FoundTool found = find("cpu-sim", {{"PATH", folder + "/path"}, {"PTOAS_ROOT", folder + "/root"}}).ptoas;
  EXPECT_EQ(found.path, inRoot);
  EXPECT_EQ(found.from, "PTOAS_ROOT");
  FoundTool none = find("cpu-sim", {{"PATH", folder + "/path"}, {"PTOAS_ROOT", folder + "/path/none"}}).ptoas;
  EXPECT_FALSE(none) << "with the variable set, nothing else counts";
  EXPECT_THAT(none.missing, HasSubstr("PTOAS_ROOT is "));
  EXPECT_THAT(find("cpu-sim", {}).ptoas.missing, HasSubstr("set PTOAS_ROOT"));
}

TEST_F(Toolchains, RelativeFoldersOfPathDoNotCount) {
  program("ptoas");
  EXPECT_FALSE(find("cpu-sim", {{"PATH", ".:" + fs::relative(folder).string()}}).ptoas);
}

TEST_F(Toolchains, TheDeviceCompilerOfCann) {
  std::string ccec = program("cann/bin/ccec");
  fs::create_directories(folder + "/isa/include/pto");
  ToolchainTools tools = find("cann-a3", {{"ASCEND_HOME_PATH", folder + "/cann"}, {"PTO_ISA_ROOT", folder + "/isa"}});
  EXPECT_EQ(tools.cann.path, folder + "/cann");
  EXPECT_EQ(tools.cxx.path, ccec);
  EXPECT_EQ(tools.isa.path, folder + "/isa");
  EXPECT_THAT(find("cann-a3", {}).cann.missing, HasSubstr("set_env.sh"));
}

TEST_F(Toolchains, TheUsersSettingsDecide) {
  program("path/ptoas");
  std::string own = program("own/ptoas");
  fs::create_directories(folder + "/config/placid");
  std::ofstream(folder + "/config/placid/config.toml")
      << "[toolchain.cpu-sim]\nptoas = \"" << own << "\"\ncxx = \"/nowhere/clang\"\ncxx-flags = [\"-g\", \"-O0\"]\n";
  std::map<std::string, std::string, std::less<>> variables = {{"PATH", folder + "/path"},
                                                               {"XDG_CONFIG_HOME", folder + "/config"}};
  UserSettings settings = readUserSettings(ToolEnvironment(variables));
  EXPECT_TRUE(settings.faults.empty());
  EXPECT_EQ(settings.toolchains.at("cpu-sim").cxxFlags, (std::vector<std::string>{"-g", "-O0"}));
  ToolchainTools tools = find("cpu-sim", variables);
  EXPECT_EQ(tools.ptoas.path, own);
  EXPECT_THAT(tools.cxx.missing, HasSubstr("/nowhere/clang, which config.toml names, is not a program"));
  std::ofstream(folder + "/config/placid/config.toml")
      << "[toolchain.nope]\nptoas = \"/x\"\n[toolchain.cpu-sim]\nptoas = 3\nnope = 1\n";
  EXPECT_EQ(readUserSettings(ToolEnvironment(variables)).faults.size(), 3U);
}

TEST_F(Toolchains, LoadedFilesOfAProgram) {
  std::vector<std::string> files = loadedFiles("/proc/self/exe");
  EXPECT_THAT(files, Contains(HasSubstr("/libc.so")));
  EXPECT_THAT(files, Contains(HasSubstr("ld-linux")));
  EXPECT_TRUE(std::is_sorted(files.begin(), files.end()));
  EXPECT_TRUE(loadedFiles(program("script")).empty());
  EXPECT_TRUE(loadedFiles(folder + "/none").empty());
  EXPECT_EQ(interpreterOf(program("env", "#! /usr/bin/env python3\n")), "/usr/bin/env");
  EXPECT_EQ(interpreterOf("/proc/self/exe"), "");
  // Cut short anywhere: no answer, no crash.
  std::ifstream in("/proc/self/exe", std::ios::binary);
  std::string head(4096, '\0');
  in.read(head.data(), static_cast<std::streamsize>(head.size()));
  for (size_t size : {0, 3, 20, 63, 64, 100, 500, 4096}) {
    (void)loadedFiles(program("cut", head.substr(0, size)));
  }
}

TEST_F(Toolchains, IdentityIsContentNotPlaceOrName) {
  Store store("");
  program("a/bin/ptoas");
  program("a/lib/module.py", "one");
  fs::copy(folder + "/a", folder + "/b", fs::copy_options::recursive);
  Identity first = programIdentity(folder + "/a/bin/ptoas", store);
  ASSERT_EQ(first.error, "");
  EXPECT_EQ(programIdentity(folder + "/b/bin/ptoas", store).digest, first.digest);
  program("b/lib/module.py", "two");
  EXPECT_NE(programIdentity(folder + "/b/bin/ptoas", store).digest, first.digest)
      << "what lies beside a launcher belongs to it";
  EXPECT_NE(programIdentity(folder + "/none", store).error, "");
  EXPECT_NE(programIdentity(program("text", "no program"), store).error, "");
  Identity self = programIdentity("/proc/self/exe", store);
  EXPECT_EQ(self.error, "");
  EXPECT_EQ(combined(first, self).error, "");
  EXPECT_NE(combined(first, self).digest, combined(self, first).digest);
}

TEST_F(Toolchains, IdentityFollowsLinksToFolders) {
  Store store("");
  program("real/deep/header.h", "one");
  fs::create_directories(folder + "/a");
  fs::create_directory_symlink(folder + "/real", folder + "/a/include");
  fs::create_directory_symlink(folder + "/a", folder + "/real/around"); // a loop
  Identity before = folderIdentity(folder + "/a", store);
  ASSERT_EQ(before.error, "");
  program("real/deep/header.h", "two");
  EXPECT_NE(folderIdentity(folder + "/a", store).digest, before.digest);
}

TEST_F(Toolchains, ADeviceCompilerIsWhatLiesAroundIt) {
  Store store("");
  std::string driver = program("cann/ccec_compiler/bin/ccec");
  fs::create_directories(folder + "/cann/bin");
  fs::create_symlink(driver, folder + "/cann/bin/ccec");
  Identity before = installationIdentity(folder + "/cann/bin/ccec", store);
  ASSERT_EQ(before.error, "");
  program("cann/ccec_compiler/bin/ld.lld", "a linker");
  Identity linker = installationIdentity(folder + "/cann/bin/ccec", store);
  EXPECT_NE(linker.digest, before.digest);
  program("cann/ccec_compiler/lib/device.bc", "a library");
  EXPECT_NE(installationIdentity(folder + "/cann/bin/ccec", store).digest, linker.digest);
}

TEST_F(Toolchains, WhatFlagsNameIsPartOfTheKey) {
  Store store("");
  EXPECT_EQ(flagIdentity({"-O2", "-DX=1", "-I/nowhere/at/all"}, store).digest, Digest{});
  std::string header = program("inc/a.h", "one");
  std::string inner = program("inner.h", "one");
  std::string response = program("response", "-O1\n-include \"" + inner + "\"\n");
  std::vector<std::vector<std::string>> lines = {
      {"-I" + folder + "/inc"}, {"-include", header}, {"--config=" + header}, {"@" + response}};
  std::vector<Digest> before;
  for (const std::vector<std::string> &words : lines) {
    before.push_back(flagIdentity(words, store).digest);
    EXPECT_NE(before.back(), Digest{}) << words.front();
  }
  program("inc/a.h", "two");
  program("inner.h", "two");
  for (size_t i = 0; i < lines.size(); ++i) {
    EXPECT_NE(flagIdentity(lines[i], store).digest, before[i]) << lines[i].front();
  }
}

} // namespace
} // namespace placid::server
