// SPDX-License-Identifier: Apache-2.0
// placid-interpret: runs many PTO IR texts on the same data and says of each whether its results are the expected ones.
// For tests that change a text in thousands of ways; links no LLVM, so a run costs what the kernel costs.
//
//   placid-interpret [--blocks N] --arg in:LAYOUT:DTYPE:DxD:FILE … --arg out:LAYOUT:DTYPE:DxD:FILE … --arg
//   scalar:DTYPE:VALUE --arg work:ELEMENTS:DTYPE
//                    [--origins] TEXT.pto …
//
// An `in` is read; an `out` starts unwritten and FILE is what it must become; `inout` takes FILE,EXPECTED; `work` is a
// workspace of the kernel's own; `context` takes RANK:WINDOW,WINDOW…, and is what the runtime knows of all devices:
// which one this is, and of each device whether its window is this one's (1), how many bytes behind it, or nowhere (0).
// A `shared` is an inout whose files hold the windows of several devices as they lie. Files are logical and row-major.
// Prints a line a text: `same`, `differs NAME`, or `fault LINE: why`. With --origins, `same` is followed by a digest of
// where the results come from (origins.h).
#include "compiler/interpreter/host_pack.h"
#include "compiler/interpreter/interpret.h"
#include "compiler/interpreter/parser.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <sstream>

namespace {

using namespace placid::interp;

struct Argument {
  std::string direction;
  bool nz = false;
  DType dtype = DType::F32;
  std::vector<int64_t> shape;
  std::vector<uint8_t> input, expected;
  std::vector<int64_t> windows; ///< Of a context: where it has this device's window.
  Number scalar;
};

std::vector<std::string> split(const std::string &text, char separator) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) {
    out.push_back(part);
  }
  return out;
}

[[noreturn]] void usage(const std::string &why) {
  std::cerr << "placid-interpret: " << why << "\n";
  std::exit(2);
}

std::vector<uint8_t> readFile(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    usage("cannot read " + path);
  }
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// A record of devices: windows begin at 0 where `windows` says 1, far from everything where it says 0.
Argument contextOf(const std::string &rank, const std::string &windows) {
  constexpr size_t kWords = 132;
  constexpr size_t kRankWord = 2;
  constexpr size_t kWindowWords = 4;
  std::vector<int64_t> words(kWords);
  for (size_t i = 0; i < kWords; ++i) {
    words[i] = (int64_t{1} << 56) + (static_cast<int64_t>(i) << 40);
  }
  const std::vector<std::string> own = split(windows, ',');
  words[kRankWord] = (static_cast<int64_t>(own.size()) << 32) + std::strtoll(rank.c_str(), nullptr, 10);
  Argument out;
  out.direction = "context";
  out.dtype = DType::I64;
  out.shape = {static_cast<int64_t>(kWords)};
  for (size_t i = 0; i < own.size() && i + kWindowWords < kWords; ++i) {
    if (own[i] == "1") {
      words[kWindowWords + i] = 0;
      out.windows.push_back(static_cast<int64_t>((kWindowWords + i) * sizeof(int64_t)));
    } else if (own[i] != "0") {
      words[kWindowWords + i] = std::strtoll(own[i].c_str(), nullptr, 10);
    }
  }
  out.input.resize(kWords * sizeof(int64_t));
  std::memcpy(out.input.data(), words.data(), out.input.size());
  return out;
}

Argument parseArgument(const std::string &text) {
  std::vector<std::string> parts = split(text, ':');
  Argument out;
  out.direction = parts.empty() ? "" : parts[0];
  if (out.direction == "context" && parts.size() == 3) {
    return contextOf(parts[1], parts[2]);
  }
  const size_t dtypeAt = out.direction == "scalar" ? 1 : 2;
  std::optional<DType> dtype = parts.size() > dtypeAt ? parsePlDType(parts[dtypeAt]) : std::nullopt;
  if (!dtype) {
    usage("no element type in " + text);
  }
  out.dtype = *dtype;
  if (out.direction == "scalar" && parts.size() == 3) {
    out.scalar = info(*dtype).isFloat ? Number::ofFloat(std::strtod(parts[2].c_str(), nullptr))
                                      : Number::ofInt(std::strtoll(parts[2].c_str(), nullptr, 10));
    return out;
  }
  if (out.direction == "work" && parts.size() == 3) {
    out.shape.push_back(std::strtoll(parts[1].c_str(), nullptr, 10));
    return out;
  }
  if (parts.size() != 5) {
    usage("expected DIRECTION:LAYOUT:DTYPE:SHAPE:FILE instead of " + text);
  }
  out.nz = parts[1] == "NZ";
  for (const std::string &extent : split(parts[3], 'x')) {
    out.shape.push_back(std::strtoll(extent.c_str(), nullptr, 10));
  }
  std::vector<std::string> files = split(parts[4], ',');
  if (out.direction != "out") {
    out.input = readFile(files.front());
    if (out.nz) {
      out.input = packNz(out.input, out.shape, info(out.dtype).bytes);
    }
  }
  if (out.direction != "in") {
    out.expected = readFile(files.back());
  }
  return out;
}

std::string runOne(const std::string &path, const std::vector<Argument> &arguments, int64_t blocks, bool withOrigins) {
  std::vector<uint8_t> bytes = readFile(path);
  auto parsed = parseProgram({reinterpret_cast<const char *>(bytes.data()), bytes.size()});
  if (const auto *fault = std::get_if<Fault>(&parsed)) {
    return "fault " + std::to_string(fault->line) + ": " + fault->message;
  }
  std::vector<std::unique_ptr<Memory>> memories;
  std::vector<ArgumentValue> values;
  for (const Argument &argument : arguments) {
    values.push_back({nullptr, argument.scalar});
    memories.emplace_back();
    if (argument.direction == "scalar") {
      continue;
    }
    const int64_t size = argument.direction == "shared" ? static_cast<int64_t>(argument.input.size())
                                                        : nzBytes(argument.shape, info(argument.dtype).bytes);
    memories.back() = std::make_unique<Memory>("a buffer", size);
    if (!argument.input.empty()) {
      memories.back()->bytes() = argument.input;
      memories.back()->markWritten();
    }
    values.back().buffer = memories.back().get();
  }
  RunOptions options;
  options.blocks = blocks;
  options.maxStatements = 2'000'000;
  Origins origins;
  options.origins = withOrigins ? &origins : nullptr;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (memories[i] != nullptr) {
      origins.give(memories[i].get());
    }
    // Devices that are all this one are one device, also where a text names another of them.
    for (int64_t window : arguments[i].windows) {
      origins.same(memories[i].get(), arguments[i].windows.front(), window, sizeof(int64_t));
    }
  }
  if (std::optional<Fault> fault = runProgram(std::get<Program>(parsed), options, values, {})) {
    return "fault " + std::to_string(fault->line) + ": " + fault->message;
  }
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!arguments[i].expected.empty()) {
      std::vector<uint8_t> got = memories[i]->bytes();
      if (arguments[i].nz) {
        got = unpackNz(got, arguments[i].shape, info(arguments[i].dtype).bytes);
      }
      if (got != arguments[i].expected) {
        return "differs argument " + std::to_string(i);
      }
    }
  }
  if (!withOrigins) {
    return "same";
  }
  std::vector<const Memory *> results;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!arguments[i].expected.empty()) {
      results.push_back(memories[i].get());
    }
  }
  return "same " + std::to_string(origins.digest(results));
}

} // namespace

int main(int argc, char **argv) {
  std::vector<Argument> arguments;
  std::vector<std::string> texts;
  int64_t blocks = 1;
  bool withOrigins = false;
  for (int i = 1; i < argc; ++i) {
    std::string word = argv[i];
    if (word == "--arg" && i + 1 < argc) {
      arguments.push_back(parseArgument(argv[++i]));
    } else if (word == "--blocks" && i + 1 < argc) {
      blocks = std::strtoll(argv[++i], nullptr, 10);
    } else if (word == "--origins") {
      withOrigins = true;
    } else {
      texts.push_back(word);
    }
  }
  for (const std::string &path : texts) {
    std::cout << runOne(path, arguments, blocks, withOrigins) << "\n";
  }
  return 0;
}
