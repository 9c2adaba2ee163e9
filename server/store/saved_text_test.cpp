// SPDX-License-Identifier: Apache-2.0
#include "server/store/saved_text.h"

#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace placid::server {
namespace {

TEST(SavedText, WhatEditorsMakeOfAFileIsTheSame) {
  for (auto [content, text] : std::initializer_list<std::pair<std::string_view, std::string_view>>{
           {"", ""},
           {"a\nb\n", "a\nb\n"},
           {"a\r\nb\r\n", "a\nb\n"},
           {"a\nb\n", "a\r\nb\r\n"},
           {"\xef\xbb\xbf"
            "a\n",
            "a\n"},
           {"a\xff\n", "a\xef\xbf\xbd\n"}}) { // what it stands for the editor has guessed
    EXPECT_TRUE(sameText(content, text)) << content;
  }
  for (auto [content, text] : std::initializer_list<std::pair<std::string_view, std::string_view>>{
           {"", "a"}, {"a\n", "a"}, {"a", "a\n"}, {"a\rb", "ab"}, {"a\n\nb", "a\nb"}, {"a\nb\n", "a\nc\n"}}) {
    EXPECT_FALSE(sameText(content, text)) << content;
  }
}

TEST(SavedText, RegularFilesOnly) {
  std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("placid-saved-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  std::string file = folder / "a.py";
  std::string text = "x = 1\n";
  EXPECT_EQ(savedText(file, &text), SavedText::NoFile);
  std::ofstream(file) << text;
  EXPECT_EQ(savedText(file, &text), SavedText::Same);
  EXPECT_EQ(savedText(file, nullptr), SavedText::Same);
  std::ofstream(file) << std::string(100000, 'x');
  EXPECT_EQ(savedText(file, &text), SavedText::Other);
  EXPECT_EQ(savedText(folder, nullptr), SavedText::NoFile);
  std::string pipe = folder / "pipe"; // nobody writes it
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(savedText(pipe, &text), SavedText::NoFile);
  std::filesystem::remove_all(folder);
}

} // namespace
} // namespace placid::server
