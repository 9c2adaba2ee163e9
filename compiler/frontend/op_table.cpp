// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/op_table.h"

#include "compiler/support/suggest.h"

#include <algorithm>

namespace placid::frontend {

namespace {

constexpr OpRow kRows[] = {
#define OP(name, place, tensorForm, tileForm, handler) {name, OpPlace::place, tensorForm, tileForm, OpHandler::handler},
#include "compiler/frontend/ops.def"
#undef OP
};

struct Parameter {
  std::string name;
  bool optional = false;
  bool keywordOnly = false;
};

struct Form {
  std::vector<Parameter> parameters;
  bool open = false; ///< Takes any further argument.
};

Form parseForm(std::string_view text) {
  Form out;
  bool keywordOnly = false;
  while (!text.empty()) {
    size_t comma = text.find(", ");
    std::string_view item = text.substr(0, comma);
    text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 2);
    if (item == "*") {
      keywordOnly = true;
    } else if (item.starts_with("*")) {
      out.open = true;
    } else {
      bool optional = item.ends_with("?");
      out.parameters.push_back({std::string(item.substr(0, item.size() - (optional ? 1 : 0))), optional, keywordOnly});
    }
  }
  return out;
}

/// Short names of distributed ops: `pld.window` is `pld.tensor.window`.
std::string_view lastPart(std::string_view path) { return path.substr(path.rfind('.') + 1); }

bool matches(const OpRow &row, std::string_view path, char &form) {
  form = 0;
  if (row.place == OpPlace::Qualified) {
    return path == row.name || (row.name.starts_with("pld.") && path.starts_with("pld.") &&
                                path.find('.', 4) == std::string_view::npos && lastPart(path) == lastPart(row.name));
  }
  if (path.starts_with("pl.tensor.") && path.substr(10) == row.name && row.tensorForm) {
    form = 'T';
    return true;
  }
  if (path.starts_with("pl.tile.") && path.substr(8) == row.name && row.tileForm) {
    form = 't';
    return true;
  }
  if (path.starts_with("pl.") && path.substr(3) == row.name && row.place != OpPlace::Namespaced) {
    form = row.place == OpPlace::Tensor ? 'T' : row.place == OpPlace::Tile ? 't' : 0;
    return true;
  }
  return false;
}

} // namespace

const OpRow *findOp(std::string_view path, char &form) {
  for (const OpRow &row : kRows) {
    if (matches(row, path, form)) {
      return &row;
    }
  }
  return nullptr;
}

const std::vector<std::string> &opPaths() {
  static const std::vector<std::string> kPaths = [] {
    std::vector<std::string> out;
    for (const OpRow &row : kRows) {
      std::string name(row.name);
      if (row.place == OpPlace::Qualified) {
        out.push_back(name);
        continue;
      }
      if (row.place != OpPlace::Namespaced) {
        out.push_back("pl." + name);
      }
      if (row.tensorForm) {
        out.push_back("pl.tensor." + name);
      }
      if (row.tileForm) {
        out.push_back("pl.tile." + name);
      }
    }
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
  }();
  return kPaths;
}

BoundArguments bindArguments(const syntax::Expr &call, std::string_view form) {
  BoundArguments out;
  Form parsed = parseForm(form);
  auto fail = [&](source::ByteRange at, std::string words) {
    if (out.fault.empty()) {
      out.fault = std::move(words);
      out.faultAt = at;
    }
  };
  size_t next = 0;
  for (size_t i = 1; i < call.children.size(); ++i) {
    const syntax::Expr *argument = call.children[i];
    out.inOrder.push_back(argument);
    if (next < parsed.parameters.size() && !parsed.parameters[next].keywordOnly) {
      out.values[parsed.parameters[next++].name] = argument;
    } else if (!parsed.open) {
      auto limit = std::count_if(parsed.parameters.begin(), parsed.parameters.end(),
                                 [](const Parameter &p) { return !p.keywordOnly; });
      fail(argument->range,
           "takes " + std::to_string(limit) + " positional arguments, got " + std::to_string(call.children.size() - 1));
    }
  }
  std::vector<std::string> names;
  for (const Parameter &parameter : parsed.parameters) {
    names.push_back(parameter.name);
  }
  for (const syntax::Keyword &keyword : call.keywords) {
    out.inOrder.push_back(keyword.value);
    std::string name(keyword.name);
    bool known = std::find(names.begin(), names.end(), name) != names.end();
    // An open form takes keywords we do not know, but a near miss of one we do know is a slip of the pen.
    if (!known && (!parsed.open || !support::nearestName(name, names).empty())) {
      fail(keyword.nameRange, "has no parameter `" + name + "`" + support::didYouMean(name, names));
    } else if (!out.values.emplace(name, keyword.value).second) {
      fail(keyword.nameRange, "is given `" + name + "` twice");
    }
  }
  for (const Parameter &parameter : parsed.parameters) {
    if (!parameter.optional && !out.get(parameter.name)) {
      fail(call.range, "misses its argument `" + parameter.name + "`");
    }
  }
  return out;
}

} // namespace placid::frontend
