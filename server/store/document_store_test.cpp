// SPDX-License-Identifier: Apache-2.0
#include "server/store/document_store.h"
#include "server/store/limited_service.h"
#include "tests/testing/fake_compiler.h"
#include "tests/testing/manual_loop.h"

#include <gtest/gtest.h>

#include <random>

namespace placid::server {
namespace {

lsp::ContentChange edit(lsp::Position start, lsp::Position end, std::string text) {
  return {lsp::Range{start, end}, std::move(text)};
}

TEST(ApplyChanges, RangesFullTextsAndOrder) {
  EXPECT_EQ(applyChanges("abc\ndef\n", {edit({0, 1}, {1, 1}, "X")}), "aXef\n");
  source::LineIndex lines("abc\ndef\n");
  EXPECT_EQ(applyChanges("abc\ndef\n", {edit({0, 0}, {1, 0}, ""), edit({0, 3}, {0, 3}, "X")}, &lines), "defX\n");
  EXPECT_EQ(applyChanges("abc", {{std::nullopt, "new"}, edit({0, 0}, {0, 1}, "N")}), "New");
  EXPECT_EQ(applyChanges("a\r\nb", {edit({0, 1}, {1, 0}, "")}), "ab");
  EXPECT_EQ(applyChanges("a\rb", {edit({1, 0}, {1, 1}, "c")}), "a\rc");
}

TEST(ApplyChanges, CountsUtf16Units) {
  EXPECT_EQ(applyChanges("😀é=1", {edit({0, 3}, {0, 4}, ":")}), "😀é:1");
  EXPECT_EQ(applyChanges("😀😀x", {edit({0, 4}, {0, 5}, "y")}), "😀😀y");
}

TEST(ApplyChanges, BeyondTheEnd) {
  EXPECT_EQ(applyChanges("ab\ncd", {edit({0, 99}, {1, 0}, " ")}), "ab cd"); // a long column is the line's end
  EXPECT_EQ(applyChanges("ab\ncd", {edit({0, 0}, {2, 0}, "x")}), "x");      // the line after the last one
  EXPECT_EQ(applyChanges("ab\ncd", {edit({0, 0}, {3, 0}, "x")}), "x");      // whatever lies beyond it
  EXPECT_EQ(applyChanges("ab\ncd", {edit({3, 0}, {3, 0}, "x")}), std::nullopt);
  EXPECT_EQ(applyChanges("ab\ncd", {edit({1, 1}, {0, 1}, "x")}), std::nullopt);
  EXPECT_EQ(applyChanges("ab\ncd", {edit({7, 0}, {7, 0}, "")}), std::nullopt);
}

/// Lines of characters of 1 or 2 UTF-16 units, edited naively: what applyChanges must equal.
TEST(ApplyChanges, RandomEditsEqualANaiveModel) {
  const std::vector<std::string> letters = {"a", "é", "漢", "😀", "\n", "\r\n", " "};
  auto units = [](const std::string &letter) -> uint32_t { return letter == "😀" ? 2 : 1; };
  std::mt19937 random(11);
  for (int round = 0; round < 300; ++round) {
    std::vector<std::string> model;
    auto some = [&](unsigned upTo) {
      std::vector<std::string> out;
      for (unsigned n = random() % (upTo + 1); n > 0; --n) {
        out.push_back(letters[random() % letters.size()]);
      }
      return out;
    };
    model = some(30);
    auto joined = [](const std::vector<std::string> &parts) {
      std::string out;
      for (const std::string &part : parts) {
        out += part;
      }
      return out;
    };
    auto position = [&](size_t index) {
      lsp::Position at;
      for (size_t i = 0; i < index; ++i) {
        bool newline = model[i] == "\n" || model[i] == "\r\n";
        at = newline ? lsp::Position{at.line + 1, 0} : lsp::Position{at.line, at.character + units(model[i])};
      }
      return at;
    };
    std::string text = joined(model);
    for (int step = 0; step < 10; ++step) {
      size_t begin = random() % (model.size() + 1);
      size_t end = begin + random() % (model.size() + 1 - begin);
      std::vector<std::string> inserted = some(5);
      std::optional<std::string> next = applyChanges(text, {edit(position(begin), position(end), joined(inserted))});
      model.erase(model.begin() + static_cast<long>(begin), model.begin() + static_cast<long>(end));
      model.insert(model.begin() + static_cast<long>(begin), inserted.begin(), inserted.end());
      ASSERT_TRUE(next);
      text = *next;
      ASSERT_EQ(text, joined(model));
    }
  }
}

struct Stored : ::testing::Test {
  testing::FakeCompiler compiler;
  testing::ManualLoop loop;
  testing::ManualRunner runner;
  Scheduler scheduler{compiler, runner, loop};
  DocumentStore store;
  Document &open(const std::string &uri, const std::string &text) { return store.open({uri, 0, text}, scheduler); }
};

TEST_F(Stored, FindsADocumentUnderAnySpelling) {
  DocumentId id = open("file:///c%3A/a%20b.py", "x").id;
  EXPECT_EQ(store.find("file:///C:/a b.py")->id, id);
  EXPECT_EQ(store.find("file:///C:/a b.py")->uri, "file:///c%3A/a%20b.py");
  EXPECT_EQ(store.find("file:///c%3A/a%20b.py")->text->path, "c:/a b.py");
  EXPECT_EQ(open("file:///c:/a b.py", "y").id, id); // opened again
  EXPECT_EQ(store.clear().size(), 1U);
}

TEST_F(Stored, ABadEditDropsTheTextUntilAFullOneComes) {
  open("file:///a.py", "one\n");
  lsp::DidChangeParams bad{"file:///a.py", 1, {edit({9, 0}, {9, 0}, "x")}};
  EXPECT_EQ(store.change(bad)->text, nullptr);
  lsp::DidChangeParams more{"file:///a.py", 2, {edit({0, 0}, {0, 0}, "x")}};
  EXPECT_EQ(store.change(more)->text, nullptr) << "must not be applied to a guess";
  lsp::DidChangeParams full{
      "file:///a.py", 3, {edit({0, 0}, {0, 0}, "x"), {std::nullopt, "two"}, edit({0, 0}, {0, 1}, "T")}};
  EXPECT_EQ(store.change(full)->text->text, "Two");
  EXPECT_EQ(store.find("file:///a.py")->version, 3);
}

TEST_F(Stored, SnapshotsAreNotTouchedByLaterEdits) {
  source::SourcePtr before = open("file:///a.py", "one").text;
  store.change({"file:///a.py", 1, {{std::nullopt, "two"}}});
  EXPECT_EQ(before->text, "one");
}

TEST_F(Stored, UnknownDocuments) {
  EXPECT_EQ(store.change({"file:///a.py", 1, {}}), nullptr);
  EXPECT_FALSE(store.close("file:///a.py"));
  EXPECT_EQ(store.replace("file:///a.py", ""), nullptr);
}

TEST(LimitedService, LargeTextsDoNotReachTheCompiler) {
  testing::FakeCompiler behind;
  LimitedService limited(behind, LimitedService::Crashes::Here, LimitedService::Settings::Given, 4);
  auto small = std::make_shared<source::SourceText>("a.py", "ERR ");
  auto large = std::make_shared<source::SourceText>("a.py", "ERR  ");
  EXPECT_EQ(limited.check(small, {}, {}).diagnostics.front().code, diag::UndefinedName.code);
  EXPECT_EQ(limited.check(large, {}, {}).diagnostics.front().code, diag::FileTooLarge.code);
  EXPECT_EQ(limited.inspect(large, {}, {}).check.counts.errors, 1U);
  EXPECT_EQ(limited.ir(large, {}, {}, {}).check.counts.errors, 1U);
  EXPECT_EQ(limited.lower(large, {}, {}).check.counts.errors, 1U);
  EXPECT_FALSE(limited.index(large).whole) << "nothing is known of it";
  EXPECT_EQ(behind.checks, 1);
}

} // namespace
} // namespace placid::server
