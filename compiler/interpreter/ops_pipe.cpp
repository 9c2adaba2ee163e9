// SPDX-License-Identifier: Apache-2.0
// Operations that hand tiles from the cube core to the vector core and back. `split` says which part of a tile a vector
// lane has: 0 the whole, 1 its half of the rows, 2 its half of the columns.
#include "compiler/interpreter/core.h"
#include "compiler/interpreter/core_pipes.h"

#include <algorithm>
#include <charconv>

namespace placid::interp {

namespace {

/// An integer attribute; `missing` where there is none.
int64_t number(const Statement &statement, const char *name, int64_t missing) {
  auto found = statement.attributes.find(name);
  if (found == statement.attributes.end()) {
    return missing;
  }
  int64_t value = missing;
  const std::string &text = found->second;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

std::string reserve(Core &core, const Statement &statement) {
  auto location = statement.attributes.find("location");
  if (statement.attributes.contains("base") && location != statement.attributes.end()) {
    const bool isMat = location->second.find("mat") != std::string::npos;
    core.reserve(isMat ? Space::Mat : Space::Vec, number(statement, "base", 0), number(statement, "size", 0));
  }
  core.set(statement, Value::ofScalar(DType::I32, Number::ofInt(number(statement, "base", 0))));
  return {};
}

/// The peer's addresses mean nothing here: what is pushed carries its elements along.
std::string importBuffer(Core &core, const Statement &statement) {
  core.set(statement, Value::ofScalar(DType::I32, Number::ofInt(0)));
  return {};
}

int coreNumber(const Core &core) { return core.isCube() ? 0 : 1 + static_cast<int>(core.identity().subblock); }
int laneOf(const Core &core) { return core.isCube() ? 0 : static_cast<int>(core.identity().subblock); }

std::string open(Core &core, const Statement &statement) {
  if (core.pipes() == nullptr) {
    return "opens a pipe to a core that is not there";
  }
  const int64_t id = number(statement, "id", 0);
  const int64_t directions = number(statement, "dir_mask", 0);
  const int64_t slots = number(statement, "slot_num", directions == 3 ? 4 : 8);
  if (directions < 1 || directions > 3 || slots < 1) {
    return "opens no direction, or has no room for a tile";
  }
  for (bool toVector : {true, false}) {
    if ((directions & (toVector ? 1 : 2)) == 0) {
      continue;
    }
    Ring &ring = core.pipes()->ring(id, toVector);
    const int64_t bytes = number(statement, "slot_size", 0);
    if (ring.slots != 0 && (ring.slots != slots || ring.slotBytes != bytes)) {
      return "disagrees with the other core about slot_num or slot_size";
    }
    ring.slots = slots;
    ring.slotBytes = bytes;
    if (toVector != core.isCube()) { // it consumes
      auto list = statement.lists.find(toVector ? "c2v_consumer_buf" : "v2c_consumer_buf");
      if (list == statement.lists.end() || list->second.empty()) {
        return "does not say where popped tiles lie";
      }
      int64_t base = 0;
      if (std::string wrong = core.scalar(list->second[0], base); !wrong.empty()) {
        return wrong;
      }
      core.pipes()->base(id, coreNumber(core)) = base;
    }
  }
  return {};
}

struct Side {
  Ring *ring = nullptr;
  int64_t split = 0;
  int lane = 0;
};

std::string sideOf(Core &core, const Statement &statement, bool toVector, Side &out) {
  if (core.pipes() == nullptr) {
    return "needs another core, and there is none";
  }
  out.ring = &core.pipes()->ring(number(statement, "id", 0), toVector);
  out.split = number(statement, "split", 0);
  out.lane = laneOf(core);
  if (out.ring->slots == 0) {
    return "uses a pipe that was not opened";
  }
  if (out.split < 0 || out.split > 2) {
    return "has a split that is not modelled";
  }
  if (!core.pipes()->agreeOnHalves(number(statement, "id", 0), out.split != 0)) {
    return "mixes whole tiles and halves in one pipe";
  }
  // On A5 a whole tile is between the cube core and the first lane: the other would not even run.
  return core.arch() == "a5" && out.split == 0 && out.lane != 0 ? "is for the first vector lane alone" : "";
}

/// Where the part of a lane begins in a whole tile.
void shift(const Side &side, int64_t rows, int64_t cols, int64_t &row, int64_t &col) {
  row = side.split == 1 ? side.lane * rows : 0;
  col = side.split == 2 ? side.lane * cols : 0;
}

template <bool ToVector> std::string push(Core &core, const Statement &statement) {
  Side side;
  std::string wrong = sideOf(core, statement, ToVector, side);
  std::shared_ptr<TileValue> tile;
  if (wrong.empty()) {
    wrong = statement.operands.empty() ? "needs a tile" : core.tile(statement.operands[0], tile);
  }
  if (!wrong.empty()) {
    return wrong;
  }
  Ring &ring = *side.ring;
  const int64_t next = ring.pushed[side.lane];
  if (next - ring.first >= ring.slots) {
    core.wait();
    return {};
  }
  const int64_t parts = !ToVector && side.split != 0 ? 2 : 1;
  Transfer whole;
  whole.dtype = tile->type.dtype;
  whole.rows = tile->rows * (side.split == 1 ? parts : 1);
  whole.cols = tile->cols * (side.split == 2 ? parts : 1);
  if (whole.rows * whole.cols * info(whole.dtype).bytes > ring.slotBytes) {
    return "pushes " + std::to_string(whole.rows * whole.cols * info(whole.dtype).bytes) + " bytes into a slot of " +
           std::to_string(ring.slotBytes);
  }
  if (!ring.has(next)) {
    whole.elements.resize(whole.rows * whole.cols);
    whole.written.resize(whole.elements.size());
    whole.origins.resize(core.origins() != nullptr ? whole.elements.size() : 0);
    ring.flight.push_back(std::move(whole));
  } else if (ring.at(next).rows != whole.rows || ring.at(next).cols != whole.cols ||
             ring.at(next).dtype != whole.dtype) {
    return "pushes another tile than the other lane";
  }
  Transfer &transfer = ring.at(next);
  transfer.live = {std::max(transfer.live[0], tile->validRows), std::max(transfer.live[1], tile->validCols)};
  int64_t row = 0;
  int64_t col = 0;
  shift(ToVector ? Side{} : side, tile->rows, tile->cols, row, col);
  for (int64_t r = 0; r < tile->validRows; ++r) {
    for (int64_t c = 0; c < tile->validCols; ++c) {
      const auto to = static_cast<size_t>((row + r) * transfer.cols + col + c);
      const int64_t address = tile->byteAddress(r, c);
      const Memory &memory = core.memory(tile->type.space);
      if (address >= 0 && address < memory.size() && !memory.isWritten(address)) {
        continue; // a token, say, which may lie where other tiles were: whoever reads it is at fault
      }
      if (wrong = core.read(*tile, r, c, transfer.elements[to]); !wrong.empty()) {
        return wrong;
      }
      transfer.written[to] = 1;
      if (core.origins() != nullptr) {
        transfer.origins[to] = core.origins()->handOver();
      }
    }
  }
  ++transfer.arrived;
  ++ring.pushed[side.lane];
  core.pipes()->gave();
  return {};
}

template <bool ToVector> std::string pop(Core &core, const Statement &statement) {
  Side side;
  if (std::string wrong = sideOf(core, statement, ToVector, side); !wrong.empty()) {
    return wrong;
  }
  Ring &ring = *side.ring;
  const int64_t next = ring.popped[side.lane];
  const int producers = ToVector ? 1 : core.pipes()->lanes();
  if (!ring.has(next) || ring.at(next).arrived < producers) {
    core.wait();
    return {};
  }
  if (statement.resultTypes.empty() || statement.resultTypes[0].kind != Type::Kind::Tile) {
    return "has no tile type";
  }
  auto tile = std::make_shared<TileValue>();
  tile->type = statement.resultTypes[0].tile;
  tile->address = core.pipes()->base(number(statement, "id", 0), coreNumber(core)) + next % ring.slots * ring.slotBytes;
  tile->rows = tile->type.rows;
  tile->cols = tile->type.cols;
  int64_t live[2] = {tile->type.validRows, tile->type.validCols};
  for (size_t i = 0; i < 2 && i < statement.operands.size(); ++i) {
    if (std::string wrong = core.scalar(statement.operands[i], live[i]); !wrong.empty()) {
      return wrong;
    }
  }
  tile->validRows = live[0];
  tile->validCols = live[1];
  if (std::string wrong = tileFault(tile->type); !wrong.empty()) {
    return wrong;
  }
  if (std::string wrong = core.placeFault(tile->type.space, tile->address, tile->bytes(), true); !wrong.empty()) {
    return "takes a tile that " + wrong;
  }
  const Transfer &transfer = ring.at(next);
  const int64_t parts = ToVector && side.split != 0 ? 2 : 1;
  if (transfer.dtype != tile->type.dtype || transfer.rows != tile->rows * (side.split == 1 ? parts : 1) ||
      transfer.cols != tile->cols * (side.split == 2 ? parts : 1)) {
    return "takes another tile than the " + std::to_string(transfer.rows) + " x " + std::to_string(transfer.cols) +
           " one that was pushed";
  }
  // Both ends count what is live, and of an axis that the lanes do not divide they have to say the same. A token, and
  // what a lane without work of its own takes or gives, is empty.
  for (size_t axis = 0; axis < 2; ++axis) {
    const bool counted = live[axis] != 0 && transfer.live[axis] != 0 && side.split != static_cast<int64_t>(axis) + 1;
    if (counted && live[axis] != transfer.live[axis]) {
      return "takes " + std::to_string(live[axis]) + (axis == 0 ? " rows" : " columns") + " of a tile of which " +
             std::to_string(transfer.live[axis]) + " were pushed";
    }
  }
  int64_t row = 0;
  int64_t col = 0;
  shift(ToVector ? side : Side{}, tile->rows, tile->cols, row, col);
  for (int64_t r = 0; r < live[0]; ++r) {
    for (int64_t c = 0; c < live[1]; ++c) {
      const auto from = static_cast<size_t>((row + r) * transfer.cols + col + c);
      if (transfer.written[from] == 0) {
        core.forget(*tile, r, c); // reading it will be the fault
        continue;
      }
      if (core.origins() != nullptr) {
        core.origins()->receive(transfer.origins[from]);
      }
      if (std::string wrong = core.write(*tile, r, c, transfer.elements[from]); !wrong.empty()) {
        return wrong;
      }
    }
  }
  ++ring.popped[side.lane];
  core.pipes()->happened();
  core.set(statement, Value::ofTile(std::move(tile)));
  return {};
}

template <bool ToVector> std::string release(Core &core, const Statement &statement) {
  Side side;
  if (std::string wrong = sideOf(core, statement, ToVector, side); !wrong.empty()) {
    return wrong;
  }
  Ring &ring = *side.ring;
  if (ring.freed[side.lane] >= ring.popped[side.lane]) {
    return "frees a tile that was not taken";
  }
  ++ring.freed[side.lane];
  ring.drop(ToVector ? core.pipes()->lanes() : 1);
  core.pipes()->gave();
  return {};
}

} // namespace

void addPipeOperations(OperationTable &table) {
  table["pto.reserve_buffer"] = reserve;
  table["pto.import_reserved_buffer"] = importBuffer;
  table["pto.aic_initialize_pipe"] = open;
  table["pto.aiv_initialize_pipe"] = open;
  table["pto.tpush_to_aiv"] = push<true>;
  table["pto.tpush_to_aic"] = push<false>;
  table["pto.tpop_from_aic"] = pop<true>;
  table["pto.tpop_from_aiv"] = pop<false>;
  table["pto.tfree_from_aic"] = release<true>;
  table["pto.tfree_from_aiv"] = release<false>;
}

} // namespace placid::interp
