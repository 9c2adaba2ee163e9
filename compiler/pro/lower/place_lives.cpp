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
  if (node.tensor && node.op.starts_with("store")) {
    out.tensors.insert(*node.tensor);
  }
  for (const std::vector<TraceNode> *list : {&node.body, &node.otherwise}) {
    for (const TraceNode &child : *list) {
      collect(child, out);
    }
  }
}

Places livesBefore(const TraceNode &node, Places live);

Places livesBefore(const std::vector<TraceNode> &list, Places live) {
  for (size_t i = list.size(); i-- > 0;) {
    live = livesBefore(list[i], std::move(live));
  }
  return live;
}

Places livesBefore(const TraceNode &node, Places live) {
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
    Places first = livesBefore(node.body, live);
    Places second = livesBefore(node.otherwise, live);
    first.insert(second.begin(), second.end());
    return first;
  }
  case TraceNode::Kind::Loop: {
    Places inside = livesBefore(node.body, livesInLoop(node, live));
    live.insert(inside.begin(), inside.end()); // perhaps there is no round
    return live;
  }
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
    live = livesBefore(list[i], std::move(live));
  }
  return out;
}

Places livesInLoop(const TraceNode &loop, const Places &after) {
  Places live = after;
  while (true) {
    Places next = livesBefore(loop.body, live);
    next.insert(live.begin(), live.end());
    if (next == live) {
      return live;
    }
    live = std::move(next);
  }
}

} // namespace placid::pro
