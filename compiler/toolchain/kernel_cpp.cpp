// SPDX-License-Identifier: Apache-2.0
#include "compiler/toolchain/kernel_cpp.h"

#include "compiler/toolchain/pto_places.h"

#include <algorithm>
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

} // namespace

KernelCpp makeKernelCpp(std::string_view generated, std::string_view pto, const std::string &ptoName,
                        const std::string &cppName) {
  PtoPlaces places(pto);
  const std::string &name = places.functionName();
  std::vector<std::string_view> lines = linesOf(generated);
  auto isDefinition = [&](std::string_view line) {
    size_t at = line.find(" " + name + "(");
    return !name.empty() && at != std::string_view::npos && line.find("AICORE") < at && trimmed(line).ends_with("{");
  };
  auto definition = std::find_if(lines.begin(), lines.end(), isDefinition);
  if (definition == lines.end()) {
    return {{}, "it does not define `" + name + "`"};
  }

  std::string text;
  uint32_t written = 0; // lines of the file so far
  auto put = [&](std::string_view line) {
    text += line;
    text += '\n';
    ++written;
  };
  for (auto line = lines.begin(); line <= definition; ++line) {
    put(*line);
  }
  constexpr std::string_view kComment = "// pto: %";
  uint32_t pending = 0; // the line of the unit that the next statements come from
  uint32_t op = 0;      // the last operation that a call was matched with
  bool inBody = true;
  for (auto line = definition + 1; line != lines.end(); ++line) {
    std::string_view code = trimmed(*line);
    if (inBody && *line == "}") { // the function's own brace stands alone at the start of its line
      inBody = false;
      put(*line);
      put("#line " + std::to_string(written + 2) + " \"" + cppName + "\"");
      continue;
    }
    if (inBody && code.starts_with(kComment)) {
      if (uint32_t at = places.definition(code.substr(kComment.size())); at != 0) {
        pending = at;
      }
      put(*line);
      continue;
    }
    if (inBody) {
      if (std::string called = calledOp(code); !called.empty()) {
        // What a comment has named may be the operation itself; what a call was matched with is done.
        if (uint32_t at = places.operation(called, std::max(op, pending == 0 ? 0 : pending - 1)); at != 0) {
          pending = op = at;
        }
      }
      bool directive = code.starts_with("#");
      if (pending != 0 && !directive && !code.empty()) {
        put("#line " + std::to_string(pending) + " \"" + ptoName + "\"");
      }
    }
    put(*line);
  }
  std::vector<Parameter> parameters = parametersOf(*definition);
  put("");
  put("// One slot a parameter: an address, or the bytes of a scalar.");
  put("extern \"C\" __global__ AICORE void " + std::string(kEntryName) + "(__gm__ int64_t *args) {");
  std::string call = "  " + name + "(";
  for (size_t i = 0; i < parameters.size(); ++i) {
    std::string slot = "args[" + std::to_string(i) + "]";
    call += i ? ", " : "";
    call += parameters[i].pointer ? "(" + parameters[i].type + ")" + slot
                                  : "*(__gm__ " + parameters[i].type + " *)&" + slot;
  }
  put(call + ");");
  put("}");
  return {std::move(text), {}};
}

} // namespace placid::toolchain
