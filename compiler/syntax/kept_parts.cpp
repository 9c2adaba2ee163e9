// SPDX-License-Identifier: Apache-2.0
#include "compiler/syntax/kept_parts.h"

#include "compiler/source/common_ends.h"
#include "compiler/syntax/direct_parser.h"
#include "compiler/syntax/python_rules.h"

#include <algorithm>

namespace placid::syntax {

namespace {

using Parts = std::vector<std::shared_ptr<Part>>;

void move(ByteRange &range, uint32_t by) {
  range = {range.begin + by, range.end + by}; // wraps around where it moves to the left
}

/// A range that is not set stays so.
void moveSet(ByteRange &range, uint32_t by) {
  if (range.end != 0) {
    move(range, by);
  }
}

void move(std::vector<Parameter> &parameters, uint32_t by) {
  for (Parameter &parameter : parameters) {
    moveSet(parameter.nameRange, by);
  }
}

/// Every range that its nodes have.
void move(Part &part, uint32_t by) {
  part.begin += by;
  for (Expr &expr : part.exprs) {
    move(expr.range, by);
    moveSet(expr.nameRange, by);
    for (Keyword &keyword : expr.keywords) {
      moveSet(keyword.nameRange, by);
    }
  }
  for (Stmt &stmt : part.stmts) {
    move(stmt.range, by);
    moveSet(stmt.nameRange, by);
    move(stmt.parameters, by);
  }
  for (PythonExpr &python : part.pythonExprs) {
    move(python.parameters, by);
  }
}

/// The parts from `first` on and before `last` have to be read again.
struct Stretch {
  size_t first = 0;
  size_t last = 0;
  uint32_t begin = 0; ///< In the new text; so is `end`.
  uint32_t end = 0;
};

Stretch around(const Parts &parts, std::string_view before, std::string_view after) {
  const source::CommonEnds same = source::commonEnds(before, after);
  Stretch out;
  auto behind = std::upper_bound(parts.begin(), parts.end(), same.prefix,
                                 [](size_t at, const std::shared_ptr<Part> &part) { return at < part->begin; });
  out.first = static_cast<size_t>(behind - parts.begin()) - 1;
  // Where its first line has changed, it may belong to the statement before: `else:`.
  out.first -= out.first > 0 && before.find('\n', parts[out.first]->begin) >= same.prefix ? 1 : 0;
  out.last = out.first + 1;
  while (out.last < parts.size() && parts[out.last]->begin < before.size() - same.suffix) {
    ++out.last;
  }
  out.begin = parts[out.first]->begin;
  const size_t rest = out.last < parts.size() ? before.size() - parts[out.last]->begin : 0;
  out.end = static_cast<uint32_t>(after.size() - rest);
  return out;
}

/// Somebody else has the module, or an older one that the parts from `first` on belong to as well.
bool isShared(const std::shared_ptr<Module> &module, size_t first) {
  return module.use_count() > 1 ||
         std::any_of(module->parts.begin() + static_cast<std::ptrdiff_t>(first), module->parts.end(),
                     [](const std::shared_ptr<Part> &part) { return part.use_count() > 1; });
}

} // namespace

std::vector<const Stmt *> bodyOf(const std::vector<std::shared_ptr<Part>> &parts) {
  std::vector<const Stmt *> out;
  for (const std::shared_ptr<Part> &part : parts) {
    out.insert(out.end(), part->body.begin(), part->body.end());
  }
  return out;
}

std::shared_ptr<const Module> KeptParts::parse(const source::SourcePtr &source) {
  if (!known_ || known_->source->path != source->path) {
    return nullptr;
  }
  const std::string &before = known_->source->text;
  const std::string &after = source->text;
  if (before == after) {
    return known_;
  }
  const Stretch stretch = around(known_->parts, before, after);
  const auto shift = static_cast<uint32_t>(after.size() - before.size());
  // Those behind begin a line, and are moved; nobody else may be reading them.
  const bool more = stretch.last < known_->parts.size();
  if (more && ((shift != 0 && isShared(known_, stretch.last)) || (stretch.end > 0 && after[stretch.end - 1] != '\n'))) {
    return nullptr;
  }
  auto text = std::make_shared<const std::string>(after, stretch.begin, stretch.end - stretch.begin);
  Module read;
  if (!DirectParser(*text, text).run(read.parts)) {
    return nullptr;
  }
  read.body = bodyOf(read.parts);
  if (!brokenRules(read, *text).empty()) {
    return nullptr;
  }
  auto made = std::make_shared<Module>();
  made->source = source;
  auto kept = known_->parts.begin();
  made->parts.assign(kept, kept + static_cast<std::ptrdiff_t>(stretch.first));
  made->parts.insert(made->parts.end(), read.parts.begin(), read.parts.end());
  made->parts.insert(made->parts.end(), kept + static_cast<std::ptrdiff_t>(stretch.last), known_->parts.end());
  made->body = bodyOf(made->parts);
  if (brokenOrder(made->body)) {
    return nullptr;
  }
  for (const std::shared_ptr<Part> &part : read.parts) {
    move(*part, stretch.begin);
  }
  for (size_t i = stretch.last; shift != 0 && i < known_->parts.size(); ++i) {
    move(*known_->parts[i], shift);
  }
  known_ = made;
  return made;
}

} // namespace placid::syntax
