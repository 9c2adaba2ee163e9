// SPDX-License-Identifier: Apache-2.0
// Commands as functions over a temporary folder and the FakeCompiler: output, exit codes, and what is written.
#include "server/commands/command.h"
#include "server/commands/diagnostic_pages.h"
#include "server/commands/report.h"
#include "server/store/limited_service.h"
#include "tests/testing/fake_compiler.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace placid::server {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

struct Commands : ::testing::Test {
  fs::path folder;
  testing::FakeCompiler fake;
  LimitedService compiler{fake};
  CommandContext context{&compiler, &testing::fakeImportsPl, "9.9", false};

  Commands() {
    std::string pattern = (fs::temp_directory_path() / "placid-test-XXXXXX").string();
    folder = ::mkdtemp(pattern.data());
    fs::current_path(folder);
  }
  ~Commands() override {
    fs::current_path("/");
    fs::remove_all(folder);
  }
  void write(const std::string &path, const std::string &text) {
    fs::path full = folder / path;
    fs::create_directories(full.parent_path());
    std::ofstream(full, std::ios::binary) << text;
  }
  std::string read(const std::string &path) {
    std::ostringstream out;
    out << std::ifstream(folder / path, std::ios::binary).rdbuf();
    return out.str();
  }
  CommandResult run(std::vector<std::string> words) { return runCommand(words, context); }
  static std::vector<json> lines(const std::string &text) {
    std::vector<json> out;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
      out.push_back(json::parse(line));
    }
    return out;
  }
};

TEST_F(Commands, BadSettingsAreWrongUsage) {
  write("a.py", "import pypto");
  write("placid.toml", "arch = 'a9'\n");
  for (const char *command : {"check", "inspect", "ir"}) {
    CommandResult result = run({command, "a.py"});
    EXPECT_EQ(result.exitCode, 2) << command;
    EXPECT_NE(result.err.find("placid.toml:1:8: `arch` is a2, a3 or a5"), std::string::npos) << result.err;
  }
  EXPECT_EQ(run({"check", "."}).exitCode, 2);
  write("placid.toml", "arch = 'a5'\nunknown = 1\n");
  EXPECT_EQ(run({"check", "a.py"}).exitCode, 0) << "an unknown key is no reason to stop";
  EXPECT_EQ(fake.lastOptions.arch, "a5");
  run({"check", "--arch", "a2", "a.py"});
  EXPECT_EQ(fake.lastOptions.arch, "a2");
}

TEST_F(Commands, ConfigSaysWhereValuesComeFrom) {
  write("a.py", "import pypto");
  ::setenv("PLACID_WORKERS", "3", 1);
  CommandResult none = run({"config", "--explain", "a.py"});
  EXPECT_EQ(none.exitCode, 0) << none.err;
  EXPECT_NE(none.out.find("settings: no placid.toml"), std::string::npos) << none.out;
  write("placid.toml", "# ours\narch = 'a5'\ndefines = { ROWS = 16, COLS = 8 }\n");
  CommandResult some = run({"config", "--explain", "--define", "COLS=9", "a.py"});
  ::unsetenv("PLACID_WORKERS");
  std::string file = (folder / "placid.toml").string();
  auto says = [&](const std::string &name, const std::string &value, const std::string &origin) {
    std::istringstream rows(some.out);
    for (std::string row; std::getline(rows, row);) {
      if (row.starts_with(name + " ")) {
        return row.find("= " + value) != std::string::npos && row.ends_with("(" + origin + ")");
      }
    }
    return false;
  };
  EXPECT_TRUE(says("arch", "\"a5\"", file + ":2")) << some.out;
  EXPECT_TRUE(says("defines.ROWS", "16", file + ":3")) << some.out;
  EXPECT_TRUE(says("defines.COLS", "9", "--define")) << some.out;
  EXPECT_TRUE(says("entries", "all kernels", "default")) << some.out;
  EXPECT_TRUE(says("PLACID_WORKERS", "3", "environment")) << some.out;
  EXPECT_EQ(run({"config", "a.py"}).exitCode, 2);
}

TEST_F(Commands, CheckJsonIsSortedAndEndsWithTheSummary) {
  write("b.py", "import pypto\nERR WARN\n");
  write("a.py", "import pypto\nERR\n");
  CommandResult result = run({"check", "--format", "json", "b.py", "a.py", "b.py"});
  EXPECT_EQ(result.exitCode, 1);
  EXPECT_EQ(result.err, "");
  std::vector<json> out = lines(result.out);
  ASSERT_EQ(out.size(), 4U);
  EXPECT_EQ(out[0]["path"], "a.py");
  EXPECT_EQ(out[1]["path"], "b.py");
  EXPECT_EQ(out[1]["severity"], "error");
  EXPECT_EQ(out[2]["severity"], "warning");
  EXPECT_EQ(result.out.substr(result.out.rfind('\n', result.out.size() - 2) + 1),
            "{\"summary\":{\"files\":2,\"kernels\":2,\"errors\":2,\"warnings\":1}}\n");
  EXPECT_EQ(run({"check", "--format=json", "a.py", "b.py"}).out, result.out);
}

TEST_F(Commands, CheckWithMoreCompilersSaysTheSame) {
  for (int i = 0; i < 40; ++i) {
    write("f" + std::to_string(i) + ".py", i % 3 ? "import pypto\nERR\n" : "import pypto\nWARN\n");
  }
  CommandResult alone = run({"check", "--format", "json", "."});
  testing::FakeCompiler second;
  testing::FakeCompiler third;
  context.more = {&second, &third};
  CommandResult together = run({"check", "--format", "json", "."});
  EXPECT_EQ(together.out, alone.out);
  EXPECT_EQ(together.exitCode, alone.exitCode);
}

TEST_F(Commands, CheckCleanAndWarningsAreNotErrors) {
  write("a.py", "import pypto\n");
  EXPECT_EQ(run({"check", "a.py"}).exitCode, 0);
  write("w.py", "WARN");
  EXPECT_EQ(run({"check", "--format", "json", "w.py"}).exitCode, 0);
}

TEST_F(Commands, CheckTextShowsTheLine) {
  write("a.py", "x = ERR\n");
  CommandResult result = run({"check", "a.py"});
  EXPECT_NE(result.out.find("error[PL2001]"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("a.py:1:5"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("x = ERR"), std::string::npos) << result.out;
}

TEST_F(Commands, CheckTimingOnlyOnRequest) {
  write("a.py", "");
  EXPECT_FALSE(lines(run({"check", "--format", "json", "a.py"}).out).back()["summary"].contains("ms"));
  EXPECT_TRUE(lines(run({"check", "--format", "json", "--timing", "a.py"}).out).back()["summary"].contains("ms"));
}

TEST_F(Commands, FoldersAreWalkedForFilesThatImportPl) {
  write("d/z.py", "import pypto ERR");
  write("d/a/deep.py", "import pypto ERR");
  write("d/plain.py", "ERR");
  write("d/text.txt", "import pypto ERR");
  write("d/.py", "import pypto ERR");
  fs::create_directory_symlink(folder / "d", folder / "d/loop");
  std::vector<json> out = lines(run({"check", "--format", "json", "d"}).out);
  ASSERT_EQ(out.size(), 3U);
  EXPECT_EQ(out[0]["path"], "d/a/deep.py");
  EXPECT_EQ(out[1]["path"], "d/z.py");
  EXPECT_EQ(out[2]["summary"]["files"], 2);
  EXPECT_EQ(lines(run({"check", "--format", "json", "./d/"}).out)[0]["path"], "./d/a/deep.py");
  EXPECT_EQ(lines(run({"check", "--format", "json", (folder / "d").string()}).out)[0]["path"],
            (folder / "d/a/deep.py").string());
  // A file that is named is checked whatever it imports.
  EXPECT_EQ(lines(run({"check", "--format", "json", "d/plain.py"}).out).back()["summary"]["errors"], 1);
}

TEST_F(Commands, UnreadableInputIsUsageButTheRestIsChecked) {
  write("a.py", "ERR");
  CommandResult result = run({"check", "--format", "json", "missing.py", "a.py"});
  EXPECT_EQ(result.exitCode, 2);
  EXPECT_EQ(result.err, "placid: cannot read missing.py: No such file or directory\n");
  EXPECT_EQ(lines(result.out).size(), 2U);
}

TEST_F(Commands, AHugeFileIsADiagnostic) {
  write("a.py", std::string((size_t{16} << 20) + 1, ' '));
  CommandResult result = run({"check", "--format", "json", "a.py"});
  EXPECT_EQ(result.exitCode, 1);
  EXPECT_EQ(lines(result.out)[0]["slug"], "file-too-large");
  EXPECT_EQ(fake.checks, 0);
  EXPECT_EQ(run({"inspect", "a.py"}).exitCode, 1);
  EXPECT_EQ(run({"ir", "a.py"}).exitCode, 1);
  EXPECT_EQ(run({"build", "--until", "pto", "a.py"}).exitCode, 1);
}

TEST_F(Commands, InternalErrorsExitThreeWithAReproducer) {
  write("sub/a.py", "ICE");
  CommandResult result = run({"check", "sub/a.py"});
  EXPECT_EQ(result.exitCode, 3);
  size_t at = result.err.find("reproducer: ");
  ASSERT_NE(at, std::string::npos) << result.err;
  std::string where = result.err.substr(at + 12, result.err.size() - at - 13);
  EXPECT_TRUE(fs::exists(fs::path(where) / "a.py"));
  fs::remove_all(where);
}

TEST_F(Commands, UsageErrors) {
  write("a.py", "");
  write("b.py", "");
  const std::vector<std::vector<std::string>> wrong = {
      {},
      {"nope"},
      {"check"},
      {"check", "--nope", "a.py"},
      {"check", "--format", "yaml", "a.py"},
      {"check", "--arch", "a4", "a.py"},
      {"check", "--arch"},
      {"build", "--planner", "mine", "a.py"},
      {"check", "--define", "X", "a.py"},
      {"check", "--define", "1X=2", "a.py"},
      {"check", "--define", "X=", "a.py"},
      {"inspect"},
      {"inspect", "a.py", "b.py"},
      {"inspect", "."},
      {"inspect", "missing.py"},
      {"inspect", "--format", "png", "a.py"},
      {"inspect", "--tensor", "w", "a.py"},
      {"inspect", "--format", "svg", "--tensor", "nope", "a.py"},
      {"ir", "--after", "Nope", "a.py"},
      {"ir", "--all", "--emit", "pto", "a.py"},
      {"ir", "--emit", "cpp", "a.py"},
      {"ir", "--phase", "x", "a.py"},
      {"ir", "--kernel", "nope", "a.py"},
      {"build", "--toolchain", "nope", "a.py"},
      {"build", "--toolchain", "cpu-sim", "a.py"},
      {"build", "--remote", "farm", "a.py"},
      {"build", "--until", "link", "a.py"},
      {"build", "--until", "nope", "a.py"},
      {"build", "--until", "pto", "--events", "-", "a.py"},
      {"build", "--until", "pto"},
      {"build", "--until", "pto", "missing.py"},
      {"explain"},
      {"explain", "PL0000"},
      {"explain", "nope"},
  };
  for (const std::vector<std::string> &words : wrong) {
    CommandResult result = run(words);
    EXPECT_EQ(result.exitCode, 2) << ::testing::PrintToString(words);
    EXPECT_EQ(result.out, "") << ::testing::PrintToString(words);
    EXPECT_EQ(result.err.rfind("placid", 0), 0U) << result.err;
  }
  EXPECT_NE(run({"ir", "--after", "Nope", "a.py"}).err.find("FirstPass, SecondPass"), std::string::npos);
}

TEST_F(Commands, CommonOptionsReachTheCompiler) {
  write("a.py", "");
  run({"check", "--arch", "a2a3", "--entry", "A.k", "--entry=B.k", "--define", "X=1=2", "--no-daemon", "a.py"});
  EXPECT_EQ(fake.lastOptions.arch, "a3");
  EXPECT_EQ(fake.lastOptions.planner, "") << "said by nobody";
  EXPECT_EQ(fake.lastOptions.entries, (std::vector<std::string>{"A.k", "B.k"}));
  EXPECT_EQ(fake.lastOptions.defines.at("X"), "1=2");
}

TEST_F(Commands, PlannerComesFromTheCommandLineOrTheSettings) {
  write("a.py", "");
  run({"check", "--planner", "ptoas", "a.py"});
  EXPECT_EQ(fake.lastOptions.planner, "ptoas");
  write("placid.toml", "planner = 'ptoas'\n");
  run({"check", "a.py"});
  EXPECT_EQ(fake.lastOptions.planner, "ptoas");
  run({"check", "--planner", "placid", "a.py"});
  EXPECT_EQ(fake.lastOptions.planner, "placid");
  const std::string explained = run({"config", "--explain", "a.py"}).out;
  const size_t row = explained.find("\nplanner ");
  ASSERT_NE(row, std::string::npos) << explained;
  EXPECT_NE(explained.substr(row, explained.find('\n', row + 1) - row).find("= \"ptoas\""), std::string::npos)
      << explained;
}

TEST(UnusedDefines, ThoseThatNoFileBinds) {
  UnusedDefines unused;
  EXPECT_EQ(unused.text(), "");
  compiler::CheckResult one;
  one.unusedDefines = {"COLS", "RWOS"};
  compiler::CheckResult other;
  other.unusedDefines = {"ROWS", "RWOS"};
  unused.add(one);
  unused.add(other);
  EXPECT_EQ(unused.text(), "placid: warning: --define RWOS changes nothing: no file binds that name\n");
}

TEST_F(Commands, InspectExitsOneForARefusedAccess) {
  write("good.py", "pl.NZ LOAD");
  CommandResult good = run({"inspect", "--format", "json", "good.py"});
  EXPECT_EQ(good.exitCode, 0);
  EXPECT_EQ(json::parse(good.out)["path"], "good.py");
  write("bad.py", "pl.NZ BADUSE");
  CommandResult bad = run({"inspect", "bad.py"});
  EXPECT_EQ(bad.exitCode, 1);
  EXPECT_NE(bad.out.find("refused   nz-offset-align"), std::string::npos);
  EXPECT_NE(bad.err.find("PL3105"), std::string::npos) << "the reason is on standard error";
}

TEST_F(Commands, IrUnits) {
  write("a.py", "");
  EXPECT_EQ(run({"ir", "a.py"}).out, "pl one\n// -----\npl two\n");
  EXPECT_EQ(run({"ir", "--emit", "pto", "a.py"}).out, "pto one\n// -----\npto two\n");
  EXPECT_EQ(run({"ir", "--all", "a.py"}).out, "// FirstPass: one\npl one\n// -----\n// FirstPass: two\npl two\n");
  EXPECT_EQ(run({"ir", "--after", "SecondPass", "a.py"}).exitCode, 0);
  write("w.py", "WARN");
  EXPECT_EQ(run({"ir", "w.py"}).exitCode, 0);
  EXPECT_EQ(run({"ir", "--emit", "pto", "w.py"}).exitCode, 1) << "PTO IR that leaves something out is refused";
  write("e.py", "ERR");
  CommandResult faulty = run({"ir", "e.py"});
  EXPECT_EQ(faulty.exitCode, 1);
  EXPECT_NE(faulty.err.find("PL2001"), std::string::npos);
}

TEST_F(Commands, BuildWritesKernelsAndManifest) {
  write("a.py", "import pypto");
  CommandResult result = run({"build", "--until", "pto", "--out", "out/deep", "--arch", "a5", "a.py"});
  EXPECT_EQ(result.exitCode, 0) << result.err;
  EXPECT_EQ(result.out, "wrote 1 kernel and manifest.json to out/deep\n");
  EXPECT_EQ(read("out/deep/kern.pto"), "module {}\n");
  json manifest = json::parse(read("out/deep/manifest.json"));
  EXPECT_EQ(manifest,
            json::parse(R"({"schema":1,"placid":"9.9","kernels":[{"name":"kern","entry":"Fake.kern","source":"a.py",
      "arch":"a5","coreType":"aic","planner":"placid","pto":"kern.pto","arguments":[{"name":"w","kind":"tensor","direction":"in","dtype":"FP16",
      "layout":"NZ","shape":[192,64],"blocked":[1,4],"strides":[],"packing":{"panelElements":0,"panels":1,"elementBytes":0,
      "bytes":0,"rank":2,"dynamicBatch":false}}],"tiles":[],"memory":[]}]})"));
  size_t files = 0;
  for (const fs::directory_entry &entry : fs::directory_iterator(folder / "out/deep")) {
    files += entry.is_regular_file() ? 1 : 0;
  }
  EXPECT_EQ(files, 2U) << "no temporary file stays";
}

TEST_F(Commands, BuildWritesTheHostsSideWhenAsked) {
  write("a.py", "import pypto");
  EXPECT_EQ(run({"build", "--until", "pto", "--host-entry", "--out", "out", "a.py"}).exitCode, 0);
  const std::string text = read("out/kern.entry.h");
  EXPECT_NE(text.find("namespace placid_kern {"), std::string::npos) << text;
  EXPECT_NE(text.find("if (in.w.rank != 2) {"), std::string::npos) << text;
}

TEST_F(Commands, BuildSaysWhereItStopped) {
  write("a.py", "import pypto");
  CommandResult result = run({"build", "--out", "out", "a.py"});
  EXPECT_EQ(result.exitCode, 0);
  EXPECT_NE(result.err.find("placid: stopped after pto: ptoas: assembles PTO IR into C++"), std::string::npos)
      << result.err;
}

TEST_F(Commands, BuildWritesNothingOnErrors) {
  write("a.py", "import pypto ERR");
  write("w.py", "import pypto WARN");
  for (const char *path : {"a.py", "w.py"}) {
    CommandResult result = run({"build", "--until", "pto", "--out", "out", path});
    EXPECT_EQ(result.exitCode, 1) << path;
    EXPECT_NE(result.err.find("error["), std::string::npos) << "what a build cannot do is an error: " << result.err;
    EXPECT_FALSE(fs::exists(folder / "out"));
  }
}

TEST_F(Commands, BuildRefusesTwoKernelsForOneFile) {
  write("a.py", "import pypto");
  write("b.py", "import pypto");
  CommandResult result = run({"build", "--until", "pto", "--out", "out", "a.py", "b.py"});
  EXPECT_EQ(result.exitCode, 1);
  EXPECT_NE(result.err.find("a.py and for b.py"), std::string::npos) << result.err;
  EXPECT_FALSE(fs::exists(folder / "out"));
}

TEST_F(Commands, BuildIntoAnImpossibleFolder) {
  write("a.py", "import pypto");
  write("file", "");
  EXPECT_EQ(run({"build", "--until", "pto", "--out", "file/x", "a.py"}).exitCode, 2);
}

TEST_F(Commands, Explain) {
  CommandResult byCode = run({"explain", "PL3105"});
  EXPECT_EQ(byCode.exitCode, 0);
  EXPECT_EQ(byCode.out.rfind("# PL3105 nz-offset-align", 0), 0U) << byCode.out;
  EXPECT_EQ(run({"explain", "pl3105"}).out, byCode.out);
  EXPECT_EQ(run({"explain", "nz-offset-align"}).out, byCode.out);
  for (const DiagnosticPage &page : diagnosticPages()) {
    EXPECT_EQ(run({"explain", std::string(page.code)}).exitCode, 0) << page.code;
  }
}

TEST_F(Commands, HelpOfEveryCommand) {
  for (const CommandSpec &spec : commandTable()) {
    CommandResult result = run({std::string(spec.name), "--help"});
    EXPECT_EQ(result.exitCode, 0);
    EXPECT_EQ(result.out.rfind("usage: placid " + std::string(spec.name), 0), 0U);
    for (const OptionSpec &option : spec.options) {
      EXPECT_NE(result.out.find(option.name), std::string::npos) << option.name;
    }
  }
}

} // namespace
} // namespace placid::server
