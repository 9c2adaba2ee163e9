// SPDX-License-Identifier: Apache-2.0
// The catalogue and its pages hold together: numbers and slugs are unique and sorted, every row has a page and every
// page a row, pages have the agreed sections, and the slugs that tools outside rely on are all there.
#include "compiler/diagnostics/diagnostic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

namespace placid::diag {
namespace {

namespace fs = std::filesystem;

fs::path pagesFolder() { return fs::path(PLACID_SOURCE_DIR) / "docs" / "diagnostics"; }

std::string read(const fs::path &path) {
  std::ifstream in(path);
  std::stringstream out;
  out << in.rdbuf();
  return out.str();
}

TEST(Catalog, RowsAreSortedByNumberAndUnique) {
  uint16_t previous = 0;
  for (const CatalogRow &row : catalog()) {
    auto number = static_cast<uint16_t>(row.code);
    EXPECT_GT(number, previous) << row.name;
    EXPECT_GE(number, 1000) << row.name;
    EXPECT_LE(number, 9999) << row.name;
    previous = number;
  }
}

TEST(Catalog, NamesAndSlugsAreUniqueAndAgree) {
  std::set<std::string_view> names;
  std::set<std::string_view> slugs;
  for (const CatalogRow &row : catalog()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_TRUE(slugs.insert(row.slug).second) << row.slug;
    EXPECT_TRUE(std::regex_match(std::string(row.slug), std::regex("[a-z][a-z0-9]*(-[a-z0-9]+)*"))) << row.slug;
    std::string camel; // one stem: NzRowsAlign is nz-rows-align
    bool up = true;
    for (char c : row.slug) {
      if (c == '-') {
        up = true;
      } else {
        camel += up ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
        up = false;
      }
    }
    EXPECT_EQ(camel, row.name);
  }
}

TEST(Catalog, NumberOfHolesMatchesTheFormat){
#define DIAG(number, name, slug, severity, format, ...)                                                                \
  {                                                                                                                    \
    auto count = []<class... Args>(Kind<Args...>) { return sizeof...(Args); };                                         \
    std::set<char> used;                                                                                               \
    std::string_view text = format;                                                                                    \
    for (size_t i = 0; i + 2 < text.size(); ++i) {                                                                     \
      if (text[i] == '{' && text[i + 2] == '}') {                                                                      \
        used.insert(text[i + 1]);                                                                                      \
      }                                                                                                                \
    }                                                                                                                  \
    EXPECT_EQ(used.size(), count(name)) << slug;                                                                       \
    EXPECT_TRUE(used.empty() || static_cast<size_t>(*used.rbegin() - '0') + 1 == used.size()) << slug;                 \
  }
#define RETIRED(number, why, version)
#include "compiler/diagnostics/catalog.def"
#undef DIAG
#undef RETIRED
}

TEST(Catalog, RetiredNumbersAreNotUsedAgain) {
  std::set<unsigned> retired;
#define DIAG(number, name, slug, severity, format, ...)
#define RETIRED(number, why, version) retired.insert(number);
#include "compiler/diagnostics/catalog.def"
#undef DIAG
#undef RETIRED
  for (const CatalogRow &row : catalog()) {
    EXPECT_FALSE(retired.count(static_cast<unsigned>(row.code))) << row.name;
  }
}

TEST(Catalog, MessagesFollowTheWordingRules) {
  for (const CatalogRow &row : catalog()) {
    std::string text(row.format);
    ASSERT_FALSE(text.empty());
    EXPECT_NE(text.back(), '.') << row.name << ": no full stop";
    bool acronym = text.size() > 1 && std::isupper(static_cast<unsigned char>(text[1])) != 0;
    EXPECT_TRUE(acronym || std::isupper(static_cast<unsigned char>(text[0])) == 0) << row.name << ": lower case";
    EXPECT_EQ(std::count(text.begin(), text.end(), '`') % 2, 0) << row.name << ": backticks in pairs";
    EXPECT_FALSE(std::regex_search(text, std::regex("\\b(illegal|allowed|forbidden)\\b"))) << row.name;
  }
}

TEST(Catalog, EveryRowIsReportedFromSomewhere) {
  std::string sources;
  for (const char *top : {"compiler", "server"}) {
    for (const fs::directory_entry &entry : fs::recursive_directory_iterator(fs::path(PLACID_SOURCE_DIR) / top)) {
      std::string name = entry.path().filename().string();
      if ((name.ends_with(".cpp") || name.ends_with(".h")) && !name.ends_with("_test.cpp")) {
        sources += read(entry.path());
      }
    }
  }
  for (const CatalogRow &row : catalog()) {
    std::string use = "diag::" + std::string(row.name);
    bool found = false;
    for (size_t at = sources.find(use); at != std::string::npos && !found; at = sources.find(use, at + 1)) {
      found = std::isalnum(static_cast<unsigned char>(sources[at + use.size()])) == 0;
    }
    EXPECT_TRUE(found) << "diag::" << row.name << " is in no source: report it or retire it";
  }
}

TEST(Catalog, FindsByNumberSlugAndName) {
  for (const CatalogRow &row : catalog()) {
    EXPECT_EQ(find(row.code), &row);
    EXPECT_EQ(findBySlug(row.slug), &row);
    EXPECT_EQ(parseCodeName(codeName(row.code)), row.code);
  }
  EXPECT_EQ(find(static_cast<Code>(1)), nullptr);
  EXPECT_EQ(findBySlug("nz"), nullptr);
  EXPECT_EQ(codeName(static_cast<Code>(7)), "PL0007");
  for (const char *bad : {"", "PL", "PL12", "PLxxxx", "PL12345", "XX1001", "PL-001"}) {
    EXPECT_FALSE(parseCodeName(bad).has_value() && find(*parseCodeName(bad))) << bad;
  }
}

TEST(Catalog, HoldsEverySlugThatToolsRelyOn) {
  for (const char *slug :
       {"nz-rows-align",   "nz-cols-align",   "nz-dynamic-plane", "nz-offset-align", "nz-offset-sign",
        "nz-rank",         "nz-fold-dynamic", "nz-target-memory", "nz-window",       "nz-reshape",
        "nz-store-shape",  "nz-store-dtype",  "nz-store-arch",    "nz-row-window",   "nz-l0c",
        "nz-store-extent", "nz-batch-panel",  "nz-atomic",        "nz-consumer",     "nz-stride",
        "nz-valid-shape",  "nz-distributed",  "nz-view",          "nz-gm-gap",       "nz-sub-byte"}) {
    EXPECT_NE(findBySlug(slug), nullptr) << slug;
  }
}

TEST(Pages, EveryRowHasAPageAndEveryPageARow) {
  std::set<std::string> pages;
  for (const fs::directory_entry &entry : fs::directory_iterator(pagesFolder())) {
    std::string stem = entry.path().stem().string();
    if (entry.path().extension() == ".md" && stem != "README") {
      pages.insert(stem);
    }
  }
  std::set<std::string> rows;
  for (const CatalogRow &row : catalog()) {
    rows.insert(codeName(row.code));
  }
  EXPECT_EQ(pages, rows);
}

TEST(Pages, HeadingSectionsAndExamples) {
  for (const CatalogRow &row : catalog()) {
    std::string name = codeName(row.code);
    SCOPED_TRACE(name);
    std::string page = read(pagesFolder() / (name + ".md"));
    EXPECT_EQ(page.substr(0, page.find('\n')), "# " + name + " " + std::string(row.slug));
    size_t at = 0;
    for (const char *section : {"\n## What it means\n", "\n## Why\n", "\n## Example\n", "\n## How to fix\n"}) {
      size_t found = page.find(section, at);
      EXPECT_NE(found, std::string::npos) << "missing or out of order:" << section;
      at = found == std::string::npos ? at : found;
    }
    bool marked = std::regex_search(page, std::regex("# (error|warning|info|hint)(\n|$)"));
    bool excused = page.find("No example: ") != std::string::npos;
    EXPECT_NE(marked, excused) << "a page has a marked example, or says `No example: <reason>`";
  }
}

TEST(Format, ReplacesHolesAndLeavesTheRest) {
  std::vector<std::string> args{"a", "b"};
  EXPECT_EQ(formatMessage("{1} then {0}", args), "b then a");
  EXPECT_EQ(formatMessage("{2} {x} {", args), "{2} {x} {");
  EXPECT_EQ(formatMessage("", args), "");
  EXPECT_EQ(message(NzRank, "w", 1).substr(0, 29), "NZ tensor `w` has rank 1: NZ ");
}

TEST(SortAndDedupe, OneNzFaultForOneAccess) {
  auto make = [](auto kind, uint32_t annotation) {
    Diagnostic out;
    out.code = kind.code;
    out.at = {"a", {20, 24}};
    out.message = codeName(kind.code);
    out.annotation = Location{"a", {annotation, annotation + 5}};
    return out;
  };
  std::vector<Diagnostic> one{make(NzOffsetSign, 3), make(NzOffsetAlign, 3), make(UndefinedName, 3)};
  sortAndDedupe(one);
  ASSERT_EQ(one.size(), 2U);
  EXPECT_EQ(one[0].message, "PL2001");
  EXPECT_EQ(one[1].message, "PL3105");
  EXPECT_EQ(one[1].related.at(0).message, "also: PL3106");
  std::vector<Diagnostic> two{make(NzOffsetSign, 9), make(NzOffsetAlign, 3)};
  sortAndDedupe(two);
  EXPECT_EQ(two.size(), 2U) << "another tensor is another access";
}

TEST(SortAndDedupe, OrdersByPlaceThenCodeAndKeepsOneOfEach) {
  auto make = [](const char *path, uint32_t begin, unsigned code, const char *text) {
    Diagnostic out;
    out.code = static_cast<Code>(code);
    out.at = {path, {begin, begin + 1}};
    out.message = text;
    return out;
  };
  std::vector<Diagnostic> all{make("b", 0, 3105, "x"), make("a", 9, 3105, "x"), make("a", 2, 3106, "x"),
                              make("a", 2, 3105, "y"), make("a", 2, 3105, "x")};
  sortAndDedupe(all);
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[0].message, "x");
  ASSERT_EQ(all[0].related.size(), 1u) << "the other message is not lost";
  EXPECT_EQ(all[0].related[0].message, "also: y");
  EXPECT_EQ(static_cast<unsigned>(all[1].code), 3106u);
  EXPECT_EQ(all[2].at.range.begin, 9u);
  EXPECT_EQ(all[3].at.path, "b");
}

TEST(SortAndDedupe, TheOrderOfTheInputDoesNotShow) {
  auto make = [](const char *kernel, const char *text, const char *note) {
    Diagnostic out;
    out.code = static_cast<Code>(3105);
    out.at = {"a", {2, 3}};
    out.kernel = kernel;
    out.message = text;
    out.related.push_back({{"a", {0, 1}}, note, Related::Role::Note});
    return out;
  };
  // One helper pasted into two kernels, and twice into the second.
  std::vector<Diagnostic> start{make("A.k", "x", "n"), make("B.k", "x", "m"), make("B.k", "x", "l"),
                                make("C.k", "y", "n"), make("C.k", "z", "n"), make("C.k", "w", "n"),
                                make("C.k", "y", "m"), make("D.k", "v", "n")};
  std::vector<size_t> order{0, 1, 2, 3, 4, 5, 6, 7};
  std::vector<Diagnostic> expected = start;
  sortAndDedupe(expected);
  ASSERT_EQ(expected.size(), 1u);
  EXPECT_EQ(expected[0].message, "v");
  ASSERT_EQ(expected[0].related.size(), 5u);
  EXPECT_EQ(expected[0].related[1].message, "also: w");
  EXPECT_EQ(expected[0].related[4].message, "and 1 more like this");
  while (std::next_permutation(order.begin(), order.end())) {
    std::vector<Diagnostic> shuffled;
    for (size_t i : order) {
      shuffled.push_back(start[i]);
    }
    sortAndDedupe(shuffled);
    ASSERT_EQ(shuffled, expected);
  }
  // Severity is no part of what is said: the graver one counts.
  std::vector<Diagnostic> mixed{make("A.k", "x", "n"), make("A.k", "x", "n")};
  mixed[0].severity = Severity::Warning;
  sortAndDedupe(mixed);
  ASSERT_EQ(mixed.size(), 1u);
  EXPECT_EQ(mixed[0].severity, Severity::Error);
}

} // namespace
} // namespace placid::diag
