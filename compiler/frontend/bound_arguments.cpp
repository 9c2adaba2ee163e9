// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/bound_arguments.h"

#include "compiler/support/suggest.h"

#include <algorithm>
#include <set>

namespace placid::frontend {

BoundArguments bindArguments(const syntax::Expr &call, const ops::Form &form) {
  BoundArguments out;
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
    if (next < form.parameters.size() && !form.parameters[next].keywordOnly) {
      out.values[std::string(form.parameters[next++].name)] = argument;
    } else if (!form.open) {
      auto limit = std::count_if(form.parameters.begin(), form.parameters.end(),
                                 [](const ops::Parameter &p) { return !p.keywordOnly; });
      bool keyword = next < form.parameters.size();
      fail(argument->range,
           "takes " + std::to_string(limit) + " positional argument" + (limit == 1 ? "" : "s") + ", got " +
               std::to_string(call.children.size() - 1) +
               (keyword ? ": `" + std::string(form.parameters[next].name) + "` is given by name" : ""));
    }
  }
  std::vector<std::string> names;
  for (const ops::Parameter &parameter : form.parameters) {
    names.emplace_back(parameter.name);
  }
  std::set<std::string_view> given; // by name: a second time is a fault of the syntax
  for (const syntax::Keyword &keyword : call.keywords) {
    out.inOrder.push_back(keyword.value);
    std::string name(keyword.name);
    bool known = std::find(names.begin(), names.end(), name) != names.end();
    // An open form takes keywords we do not know, but a near miss of one we do know is a slip of the pen.
    if (!known && (!form.open || !support::nearestName(name, names).empty())) {
      fail(keyword.nameRange, "has no parameter `" + name + "`" + support::didYouMean(name, names));
    } else if (!out.values.emplace(name, keyword.value).second && !given.contains(keyword.name)) {
      fail(keyword.nameRange, "is given `" + name + "` twice");
    }
    given.insert(keyword.name);
  }
  for (const ops::Parameter &parameter : form.parameters) {
    if (!parameter.optional && !out.get(parameter.name)) {
      fail(call.range, "misses its argument `" + std::string(parameter.name) + "`");
    }
  }
  return out;
}

BoundArguments bindArguments(const syntax::Expr &call, std::string_view form) {
  return bindArguments(call, ops::parseForm(form));
}

} // namespace placid::frontend
