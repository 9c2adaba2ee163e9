// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/build_cache.h"

#include "compiler/frontend/name_flow.h"

namespace placid::frontend {

const std::vector<std::string> &BuildCache::assignedNames(const NameFates::Statements &block) {
  auto [known, added] = assigned_.try_emplace(&block);
  if (added) {
    known->second = frontend::assignedNames(block);
  }
  return known->second;
}

const std::set<std::string, std::less<>> &BuildCache::exposedReads(const NameFates::Statements &block) {
  auto [known, added] = exposed_.try_emplace(&block);
  if (added) {
    known->second = frontend::exposedReads(block);
  }
  return known->second;
}

const NameFates::Statements &BuildCache::roundOf(const syntax::Stmt &loop) {
  auto [known, added] = rounds_.try_emplace(&loop);
  Round &round = known->second;
  if (added) {
    round.condition.kind = syntax::Stmt::Kind::Expr;
    round.condition.range = loop.value->range;
    round.condition.value = loop.value;
    round.all.push_back(&round.condition);
    round.all.insert(round.all.end(), loop.body.begin(), loop.body.end());
  }
  return round.all;
}

} // namespace placid::frontend
