// SPDX-License-Identifier: Apache-2.0
#include "compiler/pro/lower/place_lives.h"

#include <algorithm>

namespace placid::pro {

namespace {

void collect(const TraceNode &node, Effects &out) {
  if (node.kind == TraceNode::Kind::Forget) {
    out.written.insert(node.read.begin(), node.read.end());
  }
  if (node.written) {
    out.written.insert(*node.written);
  }
  if (node.tensor && (node.op.starts_with("store") || node.op == "element.write")) {
    out.tensors.insert(*node.tensor);
  }
  for (const std::vector<TraceNode> *list : {&node.body, &node.otherwise}) {
    for (const TraceNode &child : *list) {
      collect(child, out);
    }
  }
}

/// Whether a condition holds in the first round of a loop; nothing where that is not known.
std::optional<bool> holdsAtFirst(const IndexNode &condition, const TraceNode &loop) {
  using Kind = IndexNode::Kind;
  auto value = [&](const Index &side) -> std::optional<int64_t> {
    bool isVariable = side->kind == Kind::Loop && side->constant == loop.loop;
    const Index &known = isVariable ? loop.first : side;
    return known && known->range && known->range->isSingle() ? std::optional(known->range->low) : std::nullopt;
  };
  bool compares = condition.kind >= Kind::Equal && condition.kind <= Kind::LessEqual;
  std::optional<int64_t> a = compares ? value(condition.a) : std::nullopt;
  std::optional<int64_t> b = compares ? value(condition.b) : std::nullopt;
  if (!a || !b) {
    return std::nullopt;
  }
  return condition.kind == Kind::Equal      ? *a == *b
         : condition.kind == Kind::NotEqual ? *a != *b
         : condition.kind == Kind::Less     ? *a < *b
                                            : *a <= *b;
}

/// `first`: the loop whose first round is looked at; null for any round.
Places livesBefore(const TraceNode &node, Places live, const TraceNode *first);

Places livesBefore(const std::vector<TraceNode> &list, Places live, const TraceNode *first) {
  for (size_t i = list.size(); i-- > 0;) {
    live = livesBefore(list[i], std::move(live), first);
  }
  return live;
}

Places livesBefore(const TraceNode &node, Places live, const TraceNode *first) {
  switch (node.kind) {
  case TraceNode::Kind::Operation:
    if (node.written) {
      live.erase(*node.written);
    }
    live.insert(node.read.begin(), node.read.end());
    return live;
  case TraceNode::Kind::Forget:
    for (unsigned place : node.read) {
      live.erase(place);
    }
    return live;
  case TraceNode::Kind::Branch: {
    std::optional<bool> holds = first && node.condition ? holdsAtFirst(*node.condition, *first) : std::nullopt;
    if (holds) {
      return livesBefore(*holds ? node.body : node.otherwise, std::move(live), first);
    }
    Places one = livesBefore(node.body, live, first);
    Places other = livesBefore(node.otherwise, std::move(live), first);
    one.insert(other.begin(), other.end());
    return one;
  }
  case TraceNode::Kind::Loop:
    return livesInLoop(node, live); // perhaps there is no round
  }
  return live;
}

} // namespace

Effects effectsOf(const TraceNode &node) {
  Effects out;
  collect(node, out);
  return out;
}

std::vector<Places> livesAfter(const std::vector<TraceNode> &list, const Places &after) {
  std::vector<Places> out(list.size());
  Places live = after;
  for (size_t i = list.size(); i-- > 0;) {
    out[i] = live;
    live = livesBefore(list[i], std::move(live), nullptr);
  }
  return out;
}

/// One reading of the body is enough: what it reads first does not depend on what is read later, and what it writes
/// first only ends what is.
Places livesInLoop(const TraceNode &loop, const Places &after) {
  Places live = livesBefore(loop.body, after, nullptr);
  live.insert(after.begin(), after.end());
  return live;
}

namespace {

class VariableUses {
public:
  std::set<int64_t> used;

  /// Last nodes first: who looks at a variable mostly comes after who gives it.
  void note(const std::vector<TraceNode> &list) {
    for (size_t i = list.size(); i-- > 0;) {
      const TraceNode &node = list[i];
      note(node.carried);
      for (size_t j = node.joined.size(); j-- > 0;) {
        if (used.contains(node.joined[j].behind)) {
          note(node.joined[j].then);
          note(node.joined[j].otherwise);
        }
      }
      note(node.otherwise);
      note(node.body);
      note(node.carried); // whose numbers the body may look at
      for (const std::vector<Index> *indices : {&node.offsets, &node.valid, &node.indices}) {
        std::for_each(indices->begin(), indices->end(), [&](const Index &one) { note(one); });
      }
      for (const Index &one : {node.value, node.first, node.end, node.step, node.condition}) {
        note(one);
      }
      if (node.real >= 0) {
        used.insert(node.real);
      }
    }
  }

private:
  void note(const std::vector<TraceCarried> &carried) {
    for (const TraceCarried &one : carried) {
      if (used.contains(one.within) || used.contains(one.behind)) {
        used.insert(one.within);
        note(one.first);
        note(one.next);
      }
    }
  }
  void note(const Index &index) {
    if (!index) {
      return;
    }
    if (index->kind == IndexNode::Kind::Symbol && index->symbol == IndexNode::Origin::Variable) {
      used.insert(index->constant);
    }
    note(index->a);
    note(index->b);
  }
};

} // namespace

std::set<int64_t> usedVariables(const std::vector<TraceNode> &list) {
  VariableUses uses;
  for (size_t before = SIZE_MAX; before != uses.used.size();) {
    before = uses.used.size();
    uses.note(list); // again while one variable leads to others
  }
  return uses.used;
}

Places livesInFirstRound(const TraceNode &loop, const Places &wanted) { return livesBefore(loop.body, wanted, &loop); }

} // namespace placid::pro
