// SPDX-License-Identifier: Apache-2.0
#include "server/settings/project_settings.h"
#include "server/settings/toml.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace placid::server {
namespace {

namespace fs = std::filesystem;

/// `2:8 message`, one a line.
std::string faults(const ProjectSettings &settings, const source::SourceText &text) {
  std::string out;
  for (const SettingsFault &fault : settings.faults) {
    source::Position at = text.range(fault.range).start;
    out += std::to_string(at.line + 1) + ":" + std::to_string(at.character + 1) + " " + fault.message + "\n";
  }
  return out;
}

std::string faultsOf(const std::string &text, const std::string &path = "placid.toml") {
  source::SourceText source(path, text);
  return faults(readSettings(source), source);
}

TEST(Toml, ReadsWhatSettingsAreWrittenIn) {
  TomlText toml = parseToml("a = 1 # one\n"
                            "b.c = \"x\\u00e9\\\"\"\n"
                            "[t.'q w']\n"
                            "list = [\n  'y', # comment\n  [2, -3],\n]\n"
                            "table = { k = true, l = 1_000 }\n"
                            "m = \"\"\"two\nlines\"\"\"\n"
                            "when = 2026-01-02T03:04:05Z\n"
                            "[[many]]\nz = 1.5\n");
  ASSERT_TRUE(toml.faults.empty()) << toml.faults[0].message;
  ASSERT_EQ(toml.entries.size(), 7U);
  EXPECT_EQ(toml.entries[1].path, (std::vector<std::string>{"b", "c"}));
  EXPECT_EQ(toml.entries[1].value.text, "x\xc3\xa9\"");
  EXPECT_EQ(toml.entries[2].path, (std::vector<std::string>{"t", "q w", "list"}));
  EXPECT_EQ(toml.entries[2].value.items[1].items[1].text, "-3");
  EXPECT_EQ(toml.entries[3].value.members[1].value.text, "1000");
  EXPECT_EQ(toml.entries[4].value.text, "two\nlines");
  EXPECT_EQ(toml.entries[6].path.front(), "many");
}

TEST(Toml, AFaultCostsItsLine) {
  TomlText toml = parseToml("a = \nb = x\nc = 'open\n[t\nd = 1 2\ne = [1\n f = 2\n");
  EXPECT_EQ(toml.faults.size(), 6U);
  TomlText deep = parseToml("a = " + std::string(100000, '['));
  EXPECT_EQ(deep.faults.size(), 1U);
  for (const char *text : {"a", "a.", "=", "\"", "a = \"\\", "a = \"\\u12", "[", "[[", "a = {", "a = { b"}) {
    EXPECT_FALSE(parseToml(text).faults.empty()) << text;
  }
}

TEST(ProjectSettings, Keys) {
  source::SourceText text(
      "placid.toml",
      "arch = 'a5'\nplanner = 'ptoas'\nentries = ['P.kern']\n[defines]\nTILE = 64\nON = true\nS = \"'x'\"\n");
  ProjectSettings settings = readSettings(text);
  EXPECT_EQ(faults(settings, text), "");
  EXPECT_EQ(settings.arch, "a5");
  EXPECT_EQ(settings.planner, "ptoas");
  EXPECT_EQ(settings.entries, std::vector<std::string>{"P.kern"});
  EXPECT_EQ(settings.defines, (std::map<std::string, std::string>{{"ON", "True"}, {"S", "'x'"}, {"TILE", "64"}}));
  compiler::Options options;
  options.arch = "a2";
  options.defines["TILE"] = "32";
  applySettings(settings, options);
  EXPECT_EQ(options.arch, "a2") << "the command line wins";
  EXPECT_EQ(options.planner, "ptoas");
  EXPECT_EQ(options.defines["TILE"], "32");
  EXPECT_EQ(options.defines["ON"], "True");
}

TEST(ProjectSettings, FaultsPointAtTheValue) {
  EXPECT_NE(faultsOf("arch = 'a9'\n").find("1:8 "), std::string::npos);
  EXPECT_NE(faultsOf("planner = 'mine'\n").find("1:11 `planner` is placid or ptoas, in quotes"), std::string::npos);
  EXPECT_NE(faultsOf("\narc = 'a5'\n").find("2:1 there is no setting `arc`: did you mean `arch`?"), std::string::npos);
  EXPECT_NE(faultsOf("entries = 3\n").find("1:11 "), std::string::npos);
  EXPECT_NE(faultsOf("defines.X = 1.5\n").find("1:13 "), std::string::npos);
  EXPECT_NE(faultsOf("arch = a5\n").find("1:8 `a5` is no value"), std::string::npos);
}

TEST(ProjectSettings, OfPyprojectOnlyOurTable) {
  std::string text = "[project]\nname = oops\narch = 1\n[tool.placid]\narch = 'a2'\nmore = 1\n[tool.other]\nx = oops\n";
  std::string shown = faultsOf(text, "/p/pyproject.toml");
  EXPECT_EQ(shown, "6:1 there is no setting `more`\n");
}

TEST(SettingsFinder, TheNearestFolderDecides) {
  std::string pattern = (fs::temp_directory_path() / "placid-settings-XXXXXX").string();
  fs::path folder = ::mkdtemp(pattern.data());
  fs::create_directories(folder / "a/b");
  std::ofstream(folder / "pyproject.toml") << "[tool.placid]\narch = 'a2'\n";
  std::ofstream(folder / "a/pyproject.toml") << "[project]\nname = 'x'\n";
  std::string source = (folder / "a/b/k.py").string();
  EXPECT_EQ(SettingsFinder().find(source)->settings.arch, "a2") << "one without our table does not decide";
  std::ofstream(folder / "a/placid.toml") << "arch = 'a5'\n";
  EXPECT_EQ(SettingsFinder().find(source)->settings.arch, "a5");
  std::string path = (folder / "a/placid.toml").string();
  auto open = std::make_shared<source::SourceText>(path, "arch = 'a3'\n");
  std::map<std::string, source::SourcePtr> texts;
  texts[path] = open;
  EXPECT_EQ(SettingsFinder(texts).find(source)->settings.arch, "a3") << "the editor's text, not the disk's";
  fs::remove_all(folder);
}

} // namespace
} // namespace placid::server
