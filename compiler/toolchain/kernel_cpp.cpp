// SPDX-License-Identifier: Apache-2.0
#include "compiler/toolchain/kernel_cpp.h"

#include "compiler/toolchain/pto_places.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace placid::toolchain {

namespace {

std::string_view trimmed(std::string_view text) {
  size_t begin = text.find_first_not_of(" \t");
  return begin == std::string_view::npos ? std::string_view()
                                         : text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin);
}

std::vector<std::string_view> linesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

/// "TLOAD(v1, v2);" calls `tload`, "TMATMUL_ACC(…" `tmatmul.acc`; empty when the line is no such call.
std::string calledOp(std::string_view code) {
  std::string op;
  for (char c : code) {
    if (c == '(') {
      return op.size() > 1 && op[0] == 't' ? op : std::string();
    }
    if (!((c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_')) {
      return {};
    }
    op += c == '_' ? '.' : c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return {};
}

struct Parameter {
  std::string type;
  bool pointer = false;
};

/// The parameters of the function whose definition `line` is: "AICORE void name(__gm__ half* v1, int32_t v2) {".
std::vector<Parameter> parametersOf(std::string_view line) {
  std::vector<Parameter> out;
  size_t open = line.find('(');
  size_t close = line.rfind(')');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) {
    return out;
  }
  std::string_view list = line.substr(open + 1, close - open - 1);
  for (size_t at = 0; at < list.size();) {
    size_t end = std::min(list.find(',', at), list.size());
    std::string_view one = trimmed(list.substr(at, end - at));
    at = end + 1;
    size_t name = one.find_last_of(" *");
    if (name == std::string_view::npos) {
      continue;
    }
    Parameter parameter;
    parameter.type = std::string(trimmed(one.substr(0, name + 1)));
    parameter.pointer = parameter.type.ends_with("*");
    out.push_back(std::move(parameter));
  }
  return out;
}

using Function = PtoPlaces::Function;

/// Writes the file line by line and knows on which line it is.
class Writer {
public:
  void put(std::string_view line) {
    text_ += line;
    text_ += '\n';
    ++written_;
  }
  /// What follows is at `line` of `file`.
  void mark(uint32_t line, const std::string &file) { put("#line " + std::to_string(line) + " \"" + file + "\""); }
  /// What follows is at its own place again.
  void markBack(const std::string &file) { mark(written_ + 2, file); }
  std::string take() { return std::move(text_); }

private:
  std::string text_;
  uint32_t written_ = 0;
};

bool defines(std::string_view line, const std::string &name) {
  size_t at = line.find(" " + name + "(");
  return !name.empty() && at != std::string_view::npos && line.find("AICORE") < at && trimmed(line).ends_with("{");
}

/// Which lines of the unit the statements of one function's body come from.
class Body {
public:
  Body(const PtoPlaces &places, const Function &function)
      : places_(places), begin_(function.line), op_(function.line) {}

  /// The line of the unit that `code` comes from; 0: nobody knows, or it is none of a statement.
  uint32_t lineOf(std::string_view code) {
    constexpr std::string_view kComment = "// pto: %";
    if (code.starts_with(kComment)) {
      if (uint32_t at = places_.definition(code.substr(kComment.size()), begin_); at != 0) {
        pending_ = at;
      }
      return 0;
    }
    if (std::string called = calledOp(code); !called.empty()) {
      // What a comment has named may be the operation itself; what a call was matched with is done.
      if (uint32_t at = places_.operation(called, std::max(op_, pending_ == 0 ? 0 : pending_ - 1)); at != 0) {
        pending_ = op_ = at;
      }
    }
    return code.starts_with("#") || code.empty() ? 0 : pending_;
  }

private:
  const PtoPlaces &places_;
  uint32_t begin_;
  uint32_t pending_ = 0; ///< Where the next statements come from.
  uint32_t op_;          ///< The last operation that a call was matched with.
};

/// `guard`: the entry is that of one of two functions.
void putEntry(Writer &out, const Function &function, const std::vector<Parameter> &parameters, bool guard) {
  out.put("");
  if (guard) {
    out.put(function.cube ? "#if defined(__DAV_CUBE__)" : "#if defined(__DAV_VEC__)");
  }
  out.put("// One slot a parameter: an address, or the bytes of a scalar.");
  out.put("extern \"C\" __global__ AICORE void " + std::string(kEntryName) + "(__gm__ int64_t *args) {");
  std::string call = "  " + function.name + "(";
  for (size_t i = 0; i < parameters.size(); ++i) {
    std::string slot = "args[" + std::to_string(i) + "]";
    call += i ? ", " : "";
    call += parameters[i].pointer ? "(" + parameters[i].type + ")" + slot
                                  : "*(__gm__ " + parameters[i].type + " *)&" + slot;
  }
  out.put(call + ");");
  out.put("}");
  if (guard) {
    out.put("#endif");
  }
}

bool isWord(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

std::string_view wordAt(std::string_view text, size_t at) {
  size_t end = at;
  while (end < text.size() && isWord(text[end])) {
    ++end;
  }
  return text.substr(at, end - at);
}

std::string_view wordBefore(std::string_view text, size_t end) {
  size_t at = end;
  while (at > 0 && isWord(text[at - 1])) {
    --at;
  }
  return text.substr(at, end - at);
}

/// A bound `x < c ? c : x` that is written into a sum or a product as it is, where the sum would become a part of what
/// is compared: some builds of the assembler, on a library of another release, leave out the parentheses. Empty: there
/// is none.
std::string_view misplacedChoice(std::string_view line) {
  for (size_t at = line.find(" ? "); at != std::string_view::npos; at = line.find(" ? ", at + 1)) {
    std::string_view bound = wordBefore(line, at);
    size_t compare = at - bound.size();
    bool compares = !bound.empty() && compare >= 3 && line[compare - 1] == ' ' && line[compare - 3] == ' ' &&
                    (line[compare - 2] == '<' || line[compare - 2] == '>');
    std::string_view value = compares ? wordBefore(line, compare - 3) : std::string_view();
    if (value.empty() || wordAt(line, at + 3) != bound) {
      continue;
    }
    size_t otherwise = at + 3 + bound.size();
    size_t begin = compare - 3 - value.size();
    bool bounds = line.substr(otherwise, 3) == " : " && wordAt(line, otherwise + 3) == value;
    bool inSum =
        begin >= 3 && line[begin - 1] == ' ' && std::string_view("+-*").find(line[begin - 2]) != std::string_view::npos;
    size_t end = otherwise + 3 + value.size();
    if (bounds && inSum) {
      return line.substr(begin, end - begin);
    }
  }
  return {};
}

} // namespace

KernelCpp makeKernelCpp(std::string_view generated, std::string_view pto, const std::string &ptoName,
                        const std::string &cppName) {
  PtoPlaces places(pto);
  std::vector<std::string_view> lines = linesOf(generated);
  std::vector<std::pair<const Function *, std::vector<Parameter>>> entries;
  Writer out;
  std::optional<Body> body;
  for (std::string_view line : lines) {
    if (std::string_view wrong = misplacedChoice(line); !wrong.empty()) {
      return {{},
              "the choice in `" + std::string(wrong) +
                  "` has lost its parentheses, and takes the sum before it into its condition"};
    }
    if (body && line == "}") { // the function's own brace stands alone at the start of its line
      body.reset();
      out.put(line);
      out.markBack(cppName);
      continue;
    }
    if (!body) {
      auto function = std::find_if(places.functions().begin(), places.functions().end(),
                                   [&](const Function &one) { return defines(line, one.name); });
      if (function != places.functions().end()) {
        entries.emplace_back(&*function, parametersOf(line));
        body.emplace(places, *function);
      }
    } else if (uint32_t at = body->lineOf(trimmed(line)); at != 0) {
      out.mark(at, ptoName);
    }
    out.put(line);
  }
  for (const Function &function : places.functions()) {
    auto made = std::find_if(entries.begin(), entries.end(), [&](const auto &one) { return one.first == &function; });
    if (made == entries.end()) {
      return {{}, "it does not define `" + function.name + "`"};
    }
  }
  if (entries.empty()) {
    return {{}, "there is no function in the PTO IR"};
  }
  for (const auto &[function, parameters] : entries) {
    putEntry(out, *function, parameters, entries.size() > 1);
  }
  return {out.take(), {}};
}

} // namespace placid::toolchain
