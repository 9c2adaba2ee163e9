// SPDX-License-Identifier: Apache-2.0
// Runs a fuzz target without a fuzzer: over every file of its corpus, and over seeded mutations of each, so that a
// plain build exercises it the same way every time. Usage: <target>_replay (FOLDER|FILE)… [--mutations N]
// The input that made the target abort is left in `replay-crash` of the working directory.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

namespace {

std::string readFile(const std::filesystem::path &path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void mutate(std::string &text, const std::string &other, std::mt19937 &random) {
  for (unsigned n = 1 + random() % 4; n > 0; --n) {
    size_t at = text.empty() ? 0 : random() % text.size();
    size_t length = random() % 16;
    switch (random() % 6) {
    case 0:
      text.insert(at, 1, static_cast<char>(random() % 256));
      break;
    case 1:
      text.erase(at, length);
      break;
    case 2:
      text.resize(at);
      break;
    case 3:
      text.insert(at, text.substr(at, length * 8));
      break;
    case 4:
      text.insert(at, other.substr(other.empty() ? 0 : random() % other.size(), length * 8));
      break;
    default:
      if (!text.empty()) {
        text[at] = static_cast<char>(text[at] ^ (1U << random() % 8));
      }
    }
  }
}

const std::string *running = nullptr;

extern "C" void keepInput(int signal) {
  int file = ::open("replay-crash", O_WRONLY | O_CREAT | O_TRUNC, 0644);
  ssize_t written = ::write(file, running->data(), running->size());
  static_cast<void>(written); // the process is dying of something else
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void run(const std::string &text) {
  running = &text;
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t *>(text.data()), text.size());
}

} // namespace

int main(int argc, char **argv) {
  std::vector<std::filesystem::path> files;
  int mutations = 0;
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--mutations" && i + 1 < argc) {
      mutations = std::atoi(argv[++i]);
    } else if (std::filesystem::is_directory(argv[i])) {
      for (const auto &entry : std::filesystem::directory_iterator(argv[i])) {
        if (entry.is_regular_file()) {
          files.push_back(entry.path());
        }
      }
    } else {
      files.emplace_back(argv[i]);
    }
  }
  std::sort(files.begin(), files.end());
  std::vector<std::string> corpus;
  for (const std::filesystem::path &file : files) {
    corpus.push_back(readFile(file));
  }
  if (corpus.empty()) {
    std::fputs("no corpus\n", stderr);
    return 1;
  }
  std::signal(SIGABRT, keepInput);
  std::signal(SIGSEGV, keepInput);
  std::mt19937 random(1);
  for (const std::string &seed : corpus) {
    run(seed);
    for (int i = 0; i < mutations; ++i) {
      std::string text = seed;
      mutate(text, corpus[random() % corpus.size()], random);
      run(text);
    }
  }
  std::printf("%zu inputs, %d mutations of each\n", corpus.size(), mutations);
  return 0;
}
