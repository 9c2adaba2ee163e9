// SPDX-License-Identifier: Apache-2.0
// Moves between tiles, and what the cores of one kernel do to one another: flags, and tiles of the other core's memory.
// Apart from trace_operations.cpp, which is long. Knows no IR. One thread.
#include "compiler/pro/kernel/reader.h"
#include "compiler/pro/kernel/trace.h"

namespace placid::pro {

/// From tile to tile. What leaves an accumulator for UB, and UB for L1, goes to the other core.
bool Tracer::move(KernelReader &reader, const Call &call, TraceNode &node) {
  if (!writes(reader, call, node, "dst_tile") || !reads(reader, call, node, {"src_tile"})) {
    return false;
  }
  const Space from = *out_.tiles[node.read[0]].type.space;
  const Space to = *out_.tiles[*node.written].type.space;
  if (from == Space::Acc && to == Space::Vec) {
    return toLanes(reader, call, node);
  }
  if (!plain(call, {"acc_to_vec_mode", "relu_pre_mode", "scale"})) {
    return false;
  }
  bool inserts = node.op == "insert" || (from == Space::Vec && to == Space::Mat);
  if (node.op == "insert" && (from != Space::Vec || to != Space::Mat)) {
    refuse(call.at, "`pl.insert` from other memory than UB, or into other than L1, is not lowered");
    return false;
  }
  const Argument &offset = call.get("offset");
  std::optional<std::vector<KernelReader::Item>> items;
  bool good = true;
  if (offset.given()) {
    items = reader.items(offset);
    good = items && items->size() == 2;
  }
  for (size_t i = 0; good && items && i < items->size(); ++i) {
    node.offsets.push_back((*items)[i].value.asIndex());
    good = node.offsets.back() != nullptr;
  }
  if (inserts) {
    node.op = "insert";
    if (node.offsets.empty()) {
      node.offsets.assign(2, constantIndex(0));
    }
  }
  if (!good) {
    refuse(call.at, "this move is not known while compiling");
  }
  return good;
}

/// A move from an accumulator into the memories of the vector cores.
bool Tracer::toLanes(KernelReader &reader, const Call &call, TraceNode &node) {
  node.op = kToLanes;
  const Argument &mode = call.get("acc_to_vec_mode");
  std::string_view named = mode.value.path();
  node.mode = !mode.given() || named.ends_with(".SingleModeVec0") ? "vec0"
              : named.ends_with(".SingleModeVec1")                ? "vec1"
              : named.ends_with(".DualModeSplitM")                ? "split_m"
              : named.ends_with(".DualModeSplitN")                ? "split_n"
                                                                  : "";
  if (node.mode.empty()) {
    refuse(mode.at, "this mode is not known while compiling");
    return false;
  }
  if (call.get("offset").given()) {
    refuse(call.get("offset").at, "an offset of a move from Acc to UB is not lowered");
    return false;
  }
  return fixpipe(reader, call, node);
}

/// A flag that one core raises and the other waits for.
void Tracer::flag(const Call &call) {
  const Argument &pipe = call.get("pipe");
  const Argument &event = call.get("event_id");
  const Argument &mode = call.get("sync_mode");
  std::string_view named = pipe.value.path();
  std::string_view how = mode.value.path();
  bool both = !mode.given() || how.ends_with(".INTRA_BLOCK");
  if (call.get("mode").given() || (!both && !how.ends_with(".UNICAST_BLOCK"))) {
    return refuse(mode.given() ? mode.at : call.at, "synchronisation of vector cores with one another, or of blocks, "
                                                    "is not lowered");
  }
  TraceNode node;
  node.at = call.at;
  node.op = call.row->path == "system.set_cross_core" ? "core.set" : "core.wait";
  node.mode = named.substr(named.rfind('.') + 1);
  node.value = event.value.asIndex();
  node.oneLane = !both;
  if (!pipe.given() || named.empty() || !node.value) {
    return refuse(call.at, "the pipe or the event of this synchronisation is not known while compiling");
  }
  list().push_back(std::move(node));
}

} // namespace placid::pro
