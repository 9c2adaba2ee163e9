// SPDX-License-Identifier: Apache-2.0
#include "server/render/host_entry.h"

#include "server/render/expr.h"
#include "server/render/host_extents.h"
#include "server/render/host_names.h"

#include <algorithm>
#include <map>

namespace placid::server {

namespace {

using compiler::Expr;
using Argument = compiler::LoweredKernel::Argument;

std::string scalarType(const std::string &dtype) {
  static const std::map<std::string, std::string> kTypes = {
      {"INT8", "int8_t"},   {"INT16", "int16_t"},   {"INT32", "int32_t"},   {"INT64", "int64_t"},
      {"UINT8", "uint8_t"}, {"UINT16", "uint16_t"}, {"UINT32", "uint32_t"}, {"UINT64", "uint64_t"},
      {"FP32", "float"},    {"BOOL", "bool"},       {"INDEX", "int64_t"},   {"FP16", "uint16_t"},
      {"BF16", "uint16_t"}};
  auto found = kTypes.find(dtype);
  return found == kTypes.end() ? "int64_t" : found->second;
}

/// For extents that are computed. Leaves are at most 2^40, so that everything else is either small enough or not known.
constexpr const char *kArithmetic = R"(namespace extents {

struct Number {
  int64_t value;
  bool known; // false: beyond 2^60, or a division by nothing
};

inline Number number(int64_t value) {
  const int64_t most = int64_t{1} << 60;
  return {value, value >= -most && value <= most};
}

inline Number add(Number a, Number b) { return a.known && b.known ? number(a.value + b.value) : Number{0, false}; }

inline Number subtract(Number a, Number b) { return a.known && b.known ? number(a.value - b.value) : Number{0, false}; }

inline Number multiply(Number a, Number b) {
  const int64_t left = a.value < 0 ? -a.value : a.value, right = b.value < 0 ? -b.value : b.value;
  const bool fits = a.known && b.known && (right == 0 || left <= (int64_t{1} << 60) / right);
  return fits ? number(a.value * b.value) : Number{0, false};
}

/// Down, as in the source.
inline Number divide(Number a, Number b) {
  if (!a.known || !b.known || b.value <= 0) {
    return {0, false};
  }
  return {a.value / b.value - (a.value % b.value < 0 ? 1 : 0), true};
}

inline Number remainder(Number a, Number b) {
  if (!a.known || !b.known || b.value <= 0) {
    return {0, false};
  }
  return {a.value % b.value + (a.value % b.value < 0 ? b.value : 0), true};
}

} // namespace extents
)";

bool isPointer(const Argument &argument) { return argument.kind == "workspace" || argument.kind == "context"; }

/// "block_idx" as "kBlockIdx", "aic.block_idx" as "kAicBlockIdx".
std::string constantName(const std::string &name) {
  std::string out = "k";
  bool upper = true;
  for (char c : name) {
    const bool isLetter = c >= 'a' && c <= 'z';
    const bool isBreak = c == '_' || c == '.';
    out += isBreak ? "" : std::string(1, upper && isLetter ? static_cast<char>(c - 'a' + 'A') : c);
    upper = isBreak;
  }
  return out;
}

class Writer {
public:
  explicit Writer(const compiler::LoweredKernel &kernel) : kernel_(kernel), extents_(kernel) {}

  std::string run(std::string &wrong) {
    for (const Argument &argument : kernel_.arguments) {
      names_.push_back(argument.kind == "extent" ? std::string() : cppName(argument.name, members_));
    }
    findComputed();
    const std::string space = cppNamespace(kernel_.name);
    line("// Made by placid: how a host calls `" + cppComment(kernel_.name) + "`, from `" + cppComment(kernel_.entry) +
         "`. C++17.");
    line("#pragma once\n\n#include <cstdint>\n#include <cstring>\n");
    line("namespace " + space + " {\n");
    if (!computed_.empty()) {
      line(kArithmetic);
    }
    types();
    arguments();
    call();
    bind();
    packers();
    line("} // namespace " + space);
    wrong = wrong_;
    return wrong.empty() ? std::move(out_) : std::string();
  }

private:
  void line(const std::string &text) { out_ += text + "\n"; }

  /// Extents that are no symbols become locals of bind(), each once.
  void findComputed() {
    auto add = [&](const Argument &argument, const std::string &text) {
      std::optional<support::ExtentExpr> expression = extents_.computed(text);
      if (expression &&
          std::none_of(computed_.begin(), computed_.end(), [&](const Computed &known) { return known.text == text; })) {
        computed_.push_back({text, "e" + std::to_string(computed_.size()), std::move(*expression)});
      } else if (!expression && !extents_.find(text)) {
        wrong_ = "the extent `" + text + "` of argument `" + argument.name + "` of `" + kernel_.name +
                 "` cannot be computed from what a host has";
      }
    };
    for (const Argument &argument : kernel_.arguments) {
      for (const auto *list : {&argument.shape, &argument.blocked, &argument.strides}) {
        for (const Expr &extent : *list) {
          if (const auto *text = std::get_if<std::string>(&extent); text && argument.kind == "tensor") {
            add(argument, *text);
          }
        }
      }
      if (argument.kind == "extent") {
        add(argument, argument.name);
      }
    }
    for (size_t i = 0; i < extents_.symbols().size(); ++i) {
      symbols_[extents_.symbols()[i].text] = "n" + std::to_string(i);
    }
  }

  void types() {
    line("/// Logical: `shape` has `rank` extents in elements, the outermost first. The bytes are the caller's: "
         "row-major, or");
    line("/// packed as pack_NAME() does it where the argument is NZ or DN.");
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
        line("  Tensor " + names_[i] + "; ///< " +
             cppComment(argument.direction + ", " + argument.dtype + " " + show(argument.shape) +
                        (argument.layout == "ND" ? "" : ", " + argument.layout)));
      } else if (argument.kind == "workspace") {
        line("  void *" + names_[i] + "; ///< " +
             cppComment(show(argument.shape) + " of " + argument.dtype + " for each block"));
      } else if (argument.kind == "context") {
        line("  void *" + names_[i] + "; ///< the runtime's record of the windows of all devices");
      } else if (argument.kind == "scalar") {
        line("  " + scalarType(argument.dtype) + " " + names_[i] + "; ///< " + cppComment(argument.dtype) +
             (argument.dtype == "FP16" || argument.dtype == "BF16" ? ", its bits" : ""));
      }
    }
    for (const HostExtents::Symbol &symbol : extents_.symbols()) {
      if (symbol.isGiven) {
        given_[symbol.text] = cppName(symbol.text, members_);
        line("  int64_t " + given_[symbol.text] + "; ///< an extent that no argument has");
      }
    }
    line("};\n");
  }

  void call() {
    const size_t arguments = kernel_.arguments.size();
    // Each function of a mixed kernel counts its own from the arguments on.
    std::vector<size_t> places;
    std::map<std::string, size_t> counts;
    for (const std::string &parameter : kernel_.launch) {
      const size_t dot = parameter.find('.');
      places.push_back(arguments + counts[dot == std::string::npos ? "" : parameter.substr(0, dot)]++);
    }
    const size_t slots = places.empty() ? arguments : *std::max_element(places.begin(), places.end()) + 1;
    line("/// What is dispatched: a slot for each parameter of the kernel." +
         std::string(kernel_.launch.empty() ? "" : " bind() leaves the last ones to the launcher, for each block."));
    line("struct Call {");
    line("  static constexpr int kSlots = " + std::to_string(slots) + ";");
    for (size_t i = 0; i < kernel_.launch.size(); ++i) {
      line("  static constexpr int " + cppName(constantName(kernel_.launch[i]), members_) + " = " +
           std::to_string(places[i]) + ";");
    }
    line("  int64_t slots[" + std::to_string(std::max<size_t>(1, slots)) + "];");
    for (size_t i = 0; i < names_.size(); ++i) {
      if (!kernel_.arguments[i].blocked.empty()) {
        line("  Blocked " + names_[i] + ";");
      }
    }
    line("};\n");
  }

  /// An extent in bind(), behind its symbols.
  std::string valueOf(const Expr &extent) const {
    if (const auto *number = std::get_if<int64_t>(&extent)) {
      return std::to_string(*number);
    }
    const std::string &text = std::get<std::string>(extent);
    if (auto symbol = symbols_.find(text); symbol != symbols_.end()) {
      return symbol->second;
    }
    auto found =
        std::find_if(computed_.begin(), computed_.end(), [&](const Computed &one) { return one.text == text; });
    return found == computed_.end() ? "0" : found->local + ".value"; // the former is an error, see findComputed()
  }

  void refuse(const std::string &condition, const std::string &why) {
    line("  if (" + condition + ") {\n    return " + cppString(why) + ";\n  }");
  }

  static std::string needs(const Argument &argument) {
    return "`" + argument.name + "` needs rank " + std::to_string(argument.shape.size()) + ", " + show(argument.shape) +
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
        if (!argument.shape.empty()) {
          refuse("!in." + names_[i] + ".shape", "`" + argument.name + "` has no shape");
        }
      } else if (isPointer(argument)) {
        refuse("!in." + names_[i], "`" + argument.name + "` has no memory");
      }
    }
    bindExtents();
    for (size_t i = 0; i < names_.size(); ++i) {
      const Argument &argument = kernel_.arguments[i];
      for (size_t axis = 0; argument.kind == "tensor" && axis < argument.shape.size(); ++axis) {
        refuse("in." + names_[i] + ".shape[" + std::to_string(axis) + "] != " + valueOf(argument.shape[axis]),
               "`" + argument.name + "` is not " + show(argument.shape) + ": axis " + std::to_string(axis));
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

  /// The first tensor that has a symbol says what it is; all others have to agree, also on what is computed from it.
  void bindExtents() {
    for (const HostExtents::Symbol &symbol : extents_.symbols()) {
      const std::string &local = symbols_.at(symbol.text);
      line("  const int64_t " + local + " = in." +
           (symbol.isGiven ? given_.at(symbol.text)
                           : names_[symbol.argument] + ".shape[" + std::to_string(symbol.axis) + "]") +
           "; // " + cppComment(symbol.text));
      refuse(local + " < 0 || " + local + " > (int64_t{1} << 40)",
             "the extent `" + symbol.text + "` is negative, or above 2^40");
    }
    for (const Computed &one : computed_) {
      static const std::map<std::string_view, std::string> kFunctions = {
          {"+", "add"}, {"-", "subtract"}, {"*", "multiply"}, {"//", "divide"}, {"%", "remainder"}};
      line("  const extents::Number " + one.local + " = " +
           one.expression.print(
               [&](const std::string &leaf, bool number) {
                 return "extents::number(" + (number ? leaf : symbols_.at(leaf)) + ")";
               },
               [&](std::string_view operation, const std::string &left, const std::string &right) {
                 return "extents::" + kFunctions.at(operation) + "(" + left + ", " + right + ")";
               }) +
           "; // " + cppComment(one.text));
      refuse("!" + one.local + ".known || " + one.local + ".value < 0",
             "the extent `" + one.text + "` is negative, or cannot be computed");
    }
  }

  /// Once, and before anything is derived from the argument.
  void restate(const Argument &argument, const std::string &name) {
    if (argument.blocked.empty()) {
      return;
    }
    auto list = [&](const std::vector<Expr> &values) {
      std::string out = "{";
      for (const Expr &value : values) {
        out += (out.size() > 1 ? ", " : "") + valueOf(value);
      }
      return out + "}";
    };
    line("  out." + name + " = {" + list(argument.blocked) + ", " + list(argument.strides) + "};");
  }

  void fill(const Argument &argument, const std::string &name, const std::string &slot) {
    if (argument.kind == "tensor") {
      line("  " + slot + " = static_cast<int64_t>(reinterpret_cast<intptr_t>(in." + name + ".data));");
    } else if (isPointer(argument)) {
      line("  " + slot + " = static_cast<int64_t>(reinterpret_cast<intptr_t>(in." + name + "));");
    } else if (argument.kind == "scalar") {
      line("  std::memcpy(&" + slot + ", &in." + name + ", sizeof in." + name + ");");
    } else if (argument.kind == "extent") {
      line("  " + slot + " = " + valueOf(Expr(argument.name)) + ";");
    }
  }

  void packers() {
    for (size_t i = 0; i < names_.size(); ++i) {
      const Argument &argument = kernel_.arguments[i];
      if (argument.shape.size() < 2 || argument.elementBytes == 0) {
        continue;
      }
      const auto *rows = std::get_if<int64_t>(&argument.shape[argument.shape.size() - 2]);
      const auto *columns = std::get_if<int64_t>(&argument.shape.back());
      if (argument.layout == "DN") {
        pack(argument, names_[i], rows, columns, 1, "c * rows + r");
      } else if (argument.blocked.size() == 5 && argument.panelElements != 0 && rows && columns) {
        if (const auto *lineElements = std::get_if<int64_t>(&argument.blocked[4])) {
          pack(argument, names_[i], rows, columns, *lineElements, "c * rows + r * c0");
        }
      }
    }
  }

  /// Extents that are not constant are parameters.
  void pack(const Argument &argument, const std::string &name, const int64_t *rows, const int64_t *columns,
            int64_t lineElements, const std::string &at) {
    std::string constants;
    std::string parameters;
    for (const auto &[word, extent] : {std::pair{"rows", rows}, {"columns", columns}}) {
      if (extent) {
        constants += std::string(word) + " = " + std::to_string(*extent) + ", ";
      } else {
        parameters += std::string(", int64_t ") + word;
      }
    }
    for (bool packs : {true, false}) {
      line(packs ? "/// From row-major planes to the bytes that `" + cppComment(argument.name) + "` declares."
                 : "/// The way back.");
      line("inline void " + std::string(packs ? "pack_" : "unpack_") + name +
           "(const void *from, void *to, int64_t planes" + parameters + ") {");
      line("  const int64_t " + constants + "c0 = " + std::to_string(lineElements) +
           ", bytes = " + std::to_string(argument.elementBytes) + ";");
      line("  for (int64_t i = 0; i < planes * rows; ++i) {");
      line("    const int64_t plane = i / rows, r = i % rows;");
      line("    for (int64_t c = 0; c < columns; c += c0) { // elements that stay side by side");
      line("      const int64_t logical = (plane * rows + r) * columns + c;");
      line("      const int64_t packed = plane * rows * columns + " + at + ";");
      line("      std::memcpy(static_cast<char *>(to) + " + std::string(packs ? "packed" : "logical") +
           " * bytes, static_cast<const char *>(from) + " + std::string(packs ? "logical" : "packed") + " * bytes,");
      line("                  static_cast<size_t>(c0 * bytes));\n    }\n  }\n}\n");
    }
  }

  struct Computed {
    std::string text;
    std::string local; ///< Of bind().
    support::ExtentExpr expression;
  };

  const compiler::LoweredKernel &kernel_;
  HostExtents extents_;
  std::string out_;
  std::string wrong_;
  std::set<std::string> members_{"slots", "kSlots", "Tensor", "Blocked", "Arguments", "Call", "extents", "bind"};
  std::vector<std::string> names_;             ///< Of members, parallel to the arguments; empty for extents.
  std::map<std::string, std::string> symbols_; ///< To locals of bind().
  std::map<std::string, std::string> given_;   ///< Symbols that the caller says, to members.
  std::vector<Computed> computed_;
};

} // namespace

std::string hostEntryName(const compiler::LoweredKernel &kernel) { return kernel.name + ".entry.h"; }

std::string hostEntryText(const compiler::LoweredKernel &kernel, std::string &wrong) {
  return Writer(kernel).run(wrong);
}

} // namespace placid::server
