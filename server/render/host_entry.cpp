// SPDX-License-Identifier: Apache-2.0
#include "server/render/host_entry.h"

#include <algorithm>
#include <map>
#include <set>

namespace placid::server {

namespace {

using compiler::Expr;
using Argument = compiler::LoweredKernel::Argument;

bool isWordStart(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool isWord(char c) { return isWordStart(c) || (c >= '0' && c <= '9'); }

/// A name that C++ takes and `taken` has not.
std::string identifier(const std::string &name, std::set<std::string> &taken) {
  static const std::set<std::string> kWords = {
      "alignas",  "alignof", "and",      "asm",     "auto",    "bool",     "break",    "case",     "catch",
      "char",     "class",   "const",    "default", "delete",  "do",       "double",   "else",     "enum",
      "explicit", "export",  "extern",   "false",   "float",   "for",      "friend",   "goto",     "if",
      "inline",   "int",     "long",     "mutable", "new",     "not",      "operator", "or",       "private",
      "public",   "return",  "short",    "signed",  "sizeof",  "static",   "struct",   "switch",   "template",
      "this",     "throw",   "true",     "try",     "typedef", "typename", "union",    "unsigned", "using",
      "virtual",  "void",    "volatile", "wchar_t", "while",   "xor"};
  std::string out;
  for (char c : name) {
    out += isWord(c) ? c : '_';
  }
  if (out.empty() || !isWordStart(out[0]) || kWords.contains(out) || out.find("__") != std::string::npos) {
    out = "a_" + out;
    for (size_t at = out.find("__"); at != std::string::npos; at = out.find("__")) {
      out.erase(at, 1);
    }
  }
  std::string unique = out;
  for (int i = 1; !taken.insert(unique).second; ++i) {
    unique = out + "_" + std::to_string(i);
  }
  return unique;
}

std::string scalarType(const std::string &dtype) {
  static const std::map<std::string, std::string> kTypes = {
      {"INT8", "int8_t"},   {"INT16", "int16_t"},   {"INT32", "int32_t"},   {"INT64", "int64_t"},
      {"UINT8", "uint8_t"}, {"UINT16", "uint16_t"}, {"UINT32", "uint32_t"}, {"UINT64", "uint64_t"},
      {"FP32", "float"},    {"BOOL", "bool"},       {"INDEX", "int64_t"},   {"FP16", "uint16_t"},
      {"BF16", "uint16_t"}};
  auto found = kTypes.find(dtype);
  return found == kTypes.end() ? "int64_t" : found->second;
}

std::string shapeText(const std::vector<Expr> &shape) {
  std::string out = "[";
  for (const Expr &extent : shape) {
    const auto *number = std::get_if<int64_t>(&extent);
    out += (out.size() > 1 ? ", " : "") + (number ? std::to_string(*number) : std::get<std::string>(extent));
  }
  return out + "]";
}

/// The text as the inside of a C++ string.
std::string quoted(const std::string &text) {
  std::string out;
  for (char c : text) {
    out += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  }
  return "\"" + out + "\"";
}

class Writer {
public:
  explicit Writer(const compiler::LoweredKernel &kernel) : kernel_(kernel) {}

  std::string run() {
    for (const Argument &argument : kernel_.arguments) {
      names_.push_back(argument.kind == "extent" ? std::string() : identifier(argument.name, members_));
    }
    std::set<std::string> none;
    const std::string space = "placid_" + identifier(kernel_.name, none);
    line("// Made by placid: how a host calls `" + kernel_.name + "`, from `" + kernel_.entry + "`. C++17.");
    line("#pragma once\n\n#include <cstdint>\n#include <cstring>\n");
    line("namespace " + space + " {\n");
    types();
    arguments();
    call();
    bind();
    packers();
    line("} // namespace " + space);
    return std::move(out_);
  }

private:
  void line(const std::string &text) { out_ += text + "\n"; }

  void types() {
    line("/// Logical: `shape` has `rank` extents in elements, the outermost first. The bytes are the caller's: "
         "row-major, or");
    line("/// packed as pack_NAME() does it where the argument is NZ.");
    line("struct Tensor {\n  void *data;\n  int rank;\n  const int64_t *shape;\n};\n");
    line("/// The same bytes in the terms that the kernel counts in: planes, column blocks, fractals, rows, one C0 "
         "line.");
    line("struct Blocked {\n  int64_t shape[5];\n  int64_t strides[5];\n};\n");
  }

  void arguments() {
    line("struct Arguments {");
    for (size_t i = 0; i < names_.size(); ++i) {
      const Argument &argument = kernel_.arguments[i];
      if (argument.kind == "tensor") {
        line("  Tensor " + names_[i] + "; ///< " + argument.direction + ", " + argument.dtype + " " +
             shapeText(argument.shape) + (argument.layout == "ND" ? "" : ", " + argument.layout));
      } else if (argument.kind == "workspace") {
        line("  void *" + names_[i] + "; ///< " + shapeText(argument.shape) + " of " + argument.dtype +
             " for each block");
      } else if (argument.kind == "scalar") {
        line("  " + scalarType(argument.dtype) + " " + names_[i] + "; ///< " + argument.dtype);
      }
    }
    for (const Argument &argument : kernel_.arguments) {
      if (argument.kind == "extent") {
        symbols_[argument.name] = "n" + std::to_string(symbols_.size());
        if (argument.extentOf.empty()) {
          given_[argument.name] = identifier(argument.name, members_);
          line("  int64_t " + given_[argument.name] + "; ///< an extent that no argument has");
        }
      }
    }
    line("};\n");
  }

  void call() {
    line("/// What is dispatched. Behind these slots stand those of the block numbers, which the launcher fills.");
    line("struct Call {");
    line("  static constexpr int kSlots = " + std::to_string(kernel_.arguments.size()) + ";");
    line("  int64_t slots[" + std::to_string(std::max<size_t>(1, kernel_.arguments.size())) + "];");
    for (size_t i = 0; i < names_.size(); ++i) {
      if (!kernel_.arguments[i].blocked.empty()) {
        line("  Blocked " + names_[i] + ";");
      }
    }
    line("};\n");
  }

  /// An extent in C++: symbols are locals of bind(). Nothing where one of them is not known there.
  std::optional<std::string> expression(const Expr &extent) const {
    if (const auto *number = std::get_if<int64_t>(&extent)) {
      return std::to_string(*number);
    }
    const std::string &text = std::get<std::string>(extent);
    std::string out;
    for (size_t from = 0; from <= text.size();) {
      const size_t star = std::min(text.find('*', from), text.size());
      std::string factor = text.substr(from, star - from);
      factor.erase(0, factor.find_first_not_of(' '));
      factor.erase(factor.find_last_not_of(' ') + 1);
      from = star + 1;
      if (auto symbol = symbols_.find(factor); symbol != symbols_.end()) {
        factor = symbol->second;
      } else if (factor.empty() ||
                 !std::all_of(factor.begin(), factor.end(), [](char c) { return c >= '0' && c <= '9'; })) {
        return std::nullopt;
      }
      out += (out.empty() ? "" : " * ") + factor;
    }
    return out;
  }

  void refuse(const std::string &condition, const std::string &why) {
    line("  if (" + condition + ") {\n    return " + quoted(why) + ";\n  }");
  }

  static std::string needs(const Argument &argument) {
    return "`" + argument.name + "` needs rank " + std::to_string(argument.shape.size()) + ", " +
           shapeText(argument.shape) +
           (argument.dynamicBatch
                ? ": the number of its planes is its first extent, whatever its blocked shape would be"
                : "");
  }

  void bind() {
    line("/// Null, or why the arguments are refused: nothing may be dispatched then.");
    line("inline const char *bind(const Arguments &in, Call &out) {");
    line("  (void)in;");
    for (size_t i = 0; i < names_.size(); ++i) {
      const Argument &argument = kernel_.arguments[i];
      if (argument.kind == "tensor") {
        refuse("in." + names_[i] + ".rank != " + std::to_string(argument.shape.size()), needs(argument));
        refuse("!in." + names_[i] + ".data", "`" + argument.name + "` has no data");
      } else if (argument.kind == "workspace") {
        refuse("!in." + names_[i], "`" + argument.name + "` has no memory");
      }
    }
    // The first tensor that has a symbol says what it is; all others have to agree.
    for (const auto &[symbol, local] : symbols_) {
      auto extent = std::find_if(kernel_.arguments.begin(), kernel_.arguments.end(), [&](const Argument &argument) {
        return argument.kind == "extent" && argument.name == symbol;
      });
      std::string value = "in." + (given_.contains(symbol) ? given_.at(symbol) : std::string());
      for (size_t i = 0; i < names_.size() && !given_.contains(symbol); ++i) {
        if (kernel_.arguments[i].name == extent->extentOf && kernel_.arguments[i].kind == "tensor") {
          value = "in." + names_[i] + ".shape[" + std::to_string(extent->extentAxis) + "]";
        }
      }
      line("  const int64_t " + local + " = " + value + "; // " + symbol);
      refuse(local + " < 0", "the extent `" + symbol + "` is negative");
    }
    for (size_t i = 0; i < names_.size(); ++i) {
      const Argument &argument = kernel_.arguments[i];
      for (size_t axis = 0; argument.kind == "tensor" && axis < argument.shape.size(); ++axis) {
        if (std::optional<std::string> wanted = expression(argument.shape[axis])) {
          refuse("in." + names_[i] + ".shape[" + std::to_string(axis) + "] != " + *wanted,
                 "`" + argument.name + "` is not " + shapeText(argument.shape) + ": axis " + std::to_string(axis));
        }
      }
    }
    for (size_t i = 0; i < names_.size(); ++i) {
      restate(kernel_.arguments[i], names_[i]);
    }
    line("  std::memset(out.slots, 0, sizeof out.slots);");
    for (size_t i = 0; i < names_.size(); ++i) {
      fill(kernel_.arguments[i], names_[i], "out.slots[" + std::to_string(i) + "]");
    }
    line("  return nullptr;\n}\n");
  }

  /// Once, and before anything is derived from the argument.
  void restate(const Argument &argument, const std::string &name) {
    if (argument.blocked.empty()) {
      return;
    }
    auto list = [&](const std::vector<Expr> &values) {
      std::string out = "{";
      for (const Expr &value : values) {
        out += (out.size() > 1 ? ", " : "") + expression(value).value_or("0");
      }
      return out + "}";
    };
    line("  out." + name + " = {" + list(argument.blocked) + ", " + list(argument.strides) + "};");
  }

  void fill(const Argument &argument, const std::string &name, const std::string &slot) {
    if (argument.kind == "tensor") {
      line("  " + slot + " = static_cast<int64_t>(reinterpret_cast<intptr_t>(in." + name + ".data));");
    } else if (argument.kind == "workspace") {
      line("  " + slot + " = static_cast<int64_t>(reinterpret_cast<intptr_t>(in." + name + "));");
    } else if (argument.kind == "scalar") {
      line("  std::memcpy(&" + slot + ", &in." + name + ", sizeof in." + name + ");");
    } else if (argument.kind == "extent") {
      line("  " + slot + " = " + symbols_.at(argument.name) + ";");
    }
  }

  void packers() {
    for (size_t i = 0; i < names_.size(); ++i) {
      const Argument &argument = kernel_.arguments[i];
      if (argument.blocked.size() != 5 || argument.shape.size() < 2 || argument.panelElements == 0 ||
          argument.elementBytes == 0) {
        continue;
      }
      const auto *rows = std::get_if<int64_t>(&argument.shape[argument.shape.size() - 2]);
      const auto *columns = std::get_if<int64_t>(&argument.shape.back());
      const auto *line0 = std::get_if<int64_t>(&argument.blocked[4]);
      if (!rows || !columns || !line0) {
        continue;
      }
      for (bool packs : {true, false}) {
        line(packs ? "/// From row-major planes to the bytes that `" + argument.name + "` declares."
                   : "/// The way back.");
        line("inline void " + std::string(packs ? "pack_" : "unpack_") + names_[i] +
             "(const void *from, void *to, int64_t planes) {");
        line("  const int64_t rows = " + std::to_string(*rows) + ", columns = " + std::to_string(*columns) +
             ", c0 = " + std::to_string(*line0) + ", bytes = " + std::to_string(argument.elementBytes) + ";");
        line("  for (int64_t i = 0; i < planes * rows; ++i) {");
        line("    const int64_t plane = i / rows, r = i % rows;");
        line("    for (int64_t c = 0; c < columns; c += c0) { // one C0 line at a time");
        line("      const int64_t logical = (plane * rows + r) * columns + c;");
        line("      const int64_t packed = plane * rows * columns + c * rows + r * c0;");
        line("      std::memcpy(static_cast<char *>(to) + " + std::string(packs ? "packed" : "logical") +
             " * bytes, static_cast<const char *>(from) + " + std::string(packs ? "logical" : "packed") + " * bytes,");
        line("                  static_cast<size_t>(c0 * bytes));\n    }\n  }\n}\n");
      }
    }
  }

  const compiler::LoweredKernel &kernel_;
  std::string out_;
  std::set<std::string> members_{"slots", "kSlots"};
  std::vector<std::string> names_;             ///< Of members, parallel to the arguments; empty for extents.
  std::map<std::string, std::string> symbols_; ///< Extents, to locals of bind().
  std::map<std::string, std::string> given_;   ///< Extents that are arguments of their own, to members.
};

} // namespace

std::string hostEntryName(const compiler::LoweredKernel &kernel) { return kernel.name + ".entry.h"; }

std::string hostEntryText(const compiler::LoweredKernel &kernel) { return Writer(kernel).run(); }

} // namespace placid::server
