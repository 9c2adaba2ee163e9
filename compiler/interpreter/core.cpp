// SPDX-License-Identifier: Apache-2.0
#include "compiler/interpreter/core.h"

#include "compiler/interpreter/core_pipes.h"

#include <algorithm>
#include <bit>

namespace placid::interp {

namespace {

struct MemorySize {
  const char *name;
  int64_t bytes, bytesA5;
};
/// Physical sizes in the order of Space. A compiler may plan with less.
constexpr MemorySize kMemories[] = {
    {"Vec", 192 << 10, 248 << 10}, {"Mat", 512 << 10, 512 << 10}, {"Left", 64 << 10, 64 << 10},
    {"Right", 64 << 10, 64 << 10}, {"Acc", 128 << 10, 256 << 10}, {"Bias", 1 << 10, 4 << 10},
    {"Scaling", 4 << 10, 4 << 10}, {"LeftScale", 0, 4 << 10},     {"RightScale", 0, 4 << 10},
};

uint64_t hashOf(std::string_view text) {
  uint64_t out = 0;
  for (char c : text) {
    out = mixedOrigin(out, static_cast<uint8_t>(c));
  }
  return out;
}

/// What of a value is changed in place.
std::shared_ptr<void> sharedOf(const Value &value) {
  return value.array ? std::shared_ptr<void>(value.array) : std::shared_ptr<void>(value.tile);
}

/// Whether an operation that moves elements leaves them as they are.
bool isPlain(const Statement &statement, const std::vector<Value> &values) {
  for (const char *changes : {"atomicType", "reluPreMode"}) {
    if (statement.attributes.contains(changes)) {
      return false;
    }
  }
  return std::none_of(statement.ins.begin(), statement.ins.end(), [&](int slot) {
    return values[slot].kind == Value::Kind::Scalar && values[slot].number.isFloat;
  });
}

} // namespace

Value Value::ofScalar(DType type, Number number) {
  Value out;
  out.kind = Kind::Scalar;
  out.dtype = type;
  out.number = number;
  return out;
}

Value Value::ofPtr(DType type, Memory *buffer) {
  Value out;
  out.kind = Kind::Ptr;
  out.dtype = type;
  out.buffer = buffer;
  return out;
}

Value Value::ofTile(std::shared_ptr<TileValue> tile) {
  Value out;
  out.kind = Kind::Tile;
  out.dtype = tile->type.dtype;
  out.tile = std::move(tile);
  return out;
}

Operation findOperation(const std::string &name) {
  static const OperationTable table = [] {
    OperationTable made;
    addScalarOperations(made);
    addDataOperations(made);
    addViewOperations(made);
    addCoreOperations(made);
    addCubeOperations(made);
    addVectorOperations(made);
    addIndexOperations(made);
    addQuantOperations(made);
    addPipeOperations(made);
    addDeviceOperations(made);
    return made;
  }();
  auto found = table.find(name);
  return found == table.end() ? nullptr : found->second;
}

Core::Core(const Function &function, std::vector<Value> arguments, const std::string &arch, Identity identity)
    : function_(function), arch_(arch), identity_(identity), values_(function.slots) {
  for (size_t i = 0; i < arguments.size() && i < values_.size(); ++i) {
    values_[i] = std::move(arguments[i]);
  }
  for (const MemorySize &size : kMemories) {
    memories_.emplace_back(size.name, arch == "a5" ? size.bytesA5 : size.bytes);
  }
  enter(function.body, nullptr);
}

Core::State Core::run(int64_t &statements, bool untilGiven) {
  waiting_ = false;
  const int64_t given = pipes_ != nullptr ? pipes_->given() : 0;
  for (; !frames_.empty(); --statements) {
    if (statements == 0 || (untilGiven && pipes_ != nullptr && pipes_->given() != given)) {
      return State::Ready;
    }
    if (!step()) {
      return State::Failed;
    }
    if (waiting_) {
      return State::Waiting;
    }
  }
  return State::Done;
}

bool Core::fail(const Statement &statement, const std::string &why) {
  fault_ = {statement.line, statement.location, "`" + statement.op + "` " + why};
  return false;
}

bool Core::step() {
  Frame &frame = frames_.back();
  if (frame.next >= frame.block->body.size()) {
    return leave({}, true);
  }
  const Statement &statement = frame.block->body[frame.next];
  current_ = &statement;
  bool handled = false;
  if (!control(statement, handled)) {
    return false;
  }
  if (handled) {
    return true;
  }
  Operation operation = findOperation(statement.op);
  if (operation == nullptr) {
    return fail(statement, "is not an operation that the interpreter knows");
  }
  std::string wrong = origins_ != nullptr ? perform(operation, statement) : operation(*this, statement);
  if (!wrong.empty()) {
    return fail(statement, wrong);
  }
  if (!waiting_) {
    ++frames_.back().next;
  }
  return true;
}

void Core::follow(Origins *origins) {
  origins_ = origins;
  number_ = origins != nullptr ? origins->addCore() : 0;
  for (Memory &memory : memories_) {
    memory.follow(origins);
  }
}

/// With origins: what the statement is given decides what it does, and goes on into its results.
std::string Core::perform(Operation operation, const Statement &statement) {
  bool cameFromData = false;
  const uint64_t numbers = numbersOf(statement, cameFromData);
  std::string_view result;
  if (!statement.results.empty()) {
    result = function_.slotNames[statement.results[0]];
  }
  const uint64_t where = position();
  origins_->begin(number_, statement.op, result, numbers, where, isPlain(statement, values_));
  std::string wrong = operation(*this, statement);
  const uint64_t looked = origins_->looked();
  const uint64_t name = hashOf(statement.op);
  if (cameFromData && origins_->hasAccessed()) {
    const uint64_t out = statement.outs.empty() ? 0 : hashOf(function_.slotNames[statement.outs[0]]);
    origins_->decide(number_, mixedOrigin(mixedOrigin(mixedOrigin(where, name), out), numbers));
  }
  uint64_t origin = cameFromData || looked != 0 ? mixedOrigin(mixedOrigin(numbers, looked), name) : 0;
  if (isViewOfData(statement)) {
    origin = values_[statement.operands[0]].origin;
  }
  if (origin == 0 || waiting_) {
    return wrong;
  }
  for (int slot : statement.results) {
    values_[slot].origin = origin;
  }
  if (statement.results.empty() && !origins_->hasAccessed()) {
    for (const std::vector<int> *slots : {&statement.operands, &statement.ins}) {
      for (int slot : *slots) {
        if (std::shared_ptr<void> shared = sharedOf(values_[slot])) {
          changed_[shared] = origin;
        }
      }
    }
  }
  return wrong;
}

/// Of a view or window, data have decided only where it begins. Its extents and strides are then seen in what is moved.
bool Core::isViewOfData(const Statement &statement) const {
  if ((statement.op != "pto.make_tensor_view" && statement.op != "pto.partition_view") || statement.operands.empty()) {
    return false;
  }
  return std::all_of(statement.lists.begin(), statement.lists.end(), [&](const auto &list) {
    return std::all_of(list.second.begin(), list.second.end(), [&](int slot) { return values_[slot].origin == 0; });
  });
}

/// A hash of what a statement says beside its operands: attributes, words, element types, and what pads.
uint64_t Core::writingOf(const Statement &statement) {
  auto [known, isNew] = writings_.try_emplace(&statement, 0);
  if (!isNew) {
    return known->second;
  }
  uint64_t out = 0;
  for (const auto &[name, text] : statement.attributes) {
    out = mixedOrigin(mixedOrigin(out, hashOf(name)), hashOf(text));
  }
  for (const std::string &word : statement.words) {
    out = mixedOrigin(out, hashOf(word));
  }
  for (const auto *types : {&statement.insTypes, &statement.outsTypes, &statement.types, &statement.resultTypes}) {
    for (const Type &type : *types) {
      const bool isTile = type.kind == Type::Kind::Tile;
      out = mixedOrigin(out, static_cast<uint64_t>(isTile ? type.tile.dtype : type.dtype));
      out = mixedOrigin(out, isTile ? static_cast<uint64_t>(type.tile.pad) : 0);
    }
  }
  known->second = out;
  return out;
}

/// A hash of the scalars that a statement is given, and of where the others came from.
uint64_t Core::numbersOf(const Statement &statement, bool &cameFromData) {
  uint64_t out = 0;
  auto add = [&](const std::vector<int> &slots) {
    for (int slot : slots) {
      const Value &given = values_[slot];
      uint64_t origin = given.origin;
      if (auto changed = changed_.find(sharedOf(given)); changed != changed_.end()) {
        origin = mixedOrigin(origin, changed->second);
      }
      cameFromData |= origin != 0;
      if (origin == 0 && given.kind == Value::Kind::Scalar) {
        origin = given.number.isFloat ? std::bit_cast<uint64_t>(given.number.asDouble())
                                      : static_cast<uint64_t>(given.number.i);
      }
      out = mixedOrigin(out, origin);
    }
  };
  add(statement.operands);
  add(statement.ins);
  add(statement.outs);
  for (const auto &[name, slots] : statement.lists) {
    add(slots);
  }
  return mixedOrigin(out, writingOf(statement));
}

/// Which rounds of the loops around it the next statement is in.
uint64_t Core::position() const {
  uint64_t out = 0;
  for (const Frame &frame : frames_) {
    out = mixedOrigin(out, frame.round);
  }
  return out;
}

/// The first `count` operands decide what runs next, in a statement that `slot` stands for.
void Core::decide(const Statement &statement, size_t count, int slot) {
  if (origins_ == nullptr) {
    return;
  }
  uint64_t all = mixedOrigin(mixedOrigin(position(), hashOf(statement.op)), hashOf(function_.slotNames[slot]));
  bool cameFromData = false;
  for (size_t i = 0; i < count && i < statement.operands.size(); ++i) {
    const Value &given = values_[statement.operands[i]];
    cameFromData |= given.origin != 0;
    all = mixedOrigin(all, given.origin != 0 ? given.origin : static_cast<uint64_t>(given.number.i));
  }
  if (cameFromData) {
    origins_->decide(number_, all);
  }
}

void Core::enter(const Block &block, const Statement *owner) { frames_.push_back({&block, 0, owner}); }

bool Core::enterFor(const Statement &statement) {
  decide(statement, 3, statement.regions[0].arguments[0]);
  int64_t bounds[3] = {};
  for (int i = 0; i < 3; ++i) {
    if (std::string wrong = scalar(statement.operands[i], bounds[i]); !wrong.empty()) {
      return fail(statement, wrong);
    }
  }
  if (bounds[2] <= 0) {
    return fail(statement, "has the step " + std::to_string(bounds[2]));
  }
  const Block &body = statement.regions[0];
  if (bounds[0] >= bounds[1]) {
    for (size_t i = 0; i < statement.results.size(); ++i) {
      values_[statement.results[i]] = values_[statement.operands[3 + i]];
    }
    ++frames_.back().next;
    return true;
  }
  for (size_t i = 1; i < body.arguments.size(); ++i) {
    values_[body.arguments[i]] = values_[statement.operands[2 + i]];
  }
  DType type = statement.types.empty() ? DType::Index : statement.types[0].dtype;
  const uint64_t first = values_[statement.operands[0]].origin;
  const uint64_t step = values_[statement.operands[2]].origin;
  values_[body.arguments[0]] = Value::ofScalar(type, Number::ofInt(bounds[0]));
  values_[body.arguments[0]].origin = first != 0 || step != 0 ? mixedOrigin(first, step) : 0;
  enter(body, &statement);
  frames_.back().variable = bounds[0];
  frames_.back().bound = bounds[1];
  frames_.back().step = bounds[2];
  return true;
}

/// Structured control flow and what ends a block. `handled` is set when the statement was one of these.
bool Core::control(const Statement &statement, bool &handled) {
  handled = true;
  const std::string &op = statement.op;
  if (op == "scf.for") {
    return enterFor(statement);
  }
  if (op == "scf.if") {
    decide(statement, 1, statement.operands[0]);
    int64_t condition = 0;
    if (std::string wrong = scalar(statement.operands[0], condition); !wrong.empty()) {
      return fail(statement, wrong);
    }
    if (condition != 0 || statement.regions.size() > 1) {
      enter(statement.regions[condition != 0 ? 0 : 1], &statement);
    } else {
      ++frames_.back().next;
    }
    return true;
  }
  if (op == "scf.while") {
    const Block &before = statement.regions[0];
    for (size_t i = 0; i < before.arguments.size() && i < statement.operands.size(); ++i) {
      values_[before.arguments[i]] = values_[statement.operands[i]];
    }
    enter(before, &statement);
    frames_.back().condition = true;
    return true;
  }
  if (op.starts_with("pto.section.")) {
    if (function_.kind.empty() || op == "pto.section." + function_.kind) {
      enter(statement.regions[0], &statement);
    } else {
      ++frames_.back().next;
    }
    return true;
  }
  if (op == "scf.yield") {
    return leave(statement.operands, true);
  }
  if (op == "scf.condition") {
    decide(statement, 1, statement.operands[0]);
    int64_t go = 0;
    if (std::string wrong = scalar(statement.operands[0], go); !wrong.empty()) {
      return fail(statement, wrong);
    }
    return leave({statement.operands.begin() + 1, statement.operands.end()}, go != 0);
  }
  if (op == "return" || op == "func.return") {
    frames_.clear();
    return true;
  }
  handled = false;
  return true;
}

/// The innermost block has ended with these values.
bool Core::leave(const std::vector<int> &yielded, bool go) {
  Frame frame = frames_.back();
  std::vector<Value> handed;
  handed.reserve(yielded.size());
  for (int slot : yielded) {
    handed.push_back(values_[slot]);
  }
  auto assign = [&](const std::vector<int> &slots, size_t skip) {
    for (size_t i = 0; i + skip < slots.size() && i < handed.size(); ++i) {
      values_[slots[i + skip]] = handed[i];
    }
  };
  if (frame.owner == nullptr) {
    frames_.pop_back();
    return true;
  }
  const Statement &owner = *frame.owner;
  if (owner.op == "scf.for") {
    frame.variable += frame.step;
    if (frame.variable < frame.bound) {
      assign(frame.block->arguments, 1);
      Value &variable = values_[frame.block->arguments[0]];
      variable.number.i = frame.variable;
      variable.origin = variable.origin != 0 ? mixedOrigin(variable.origin, 1) : 0;
      frames_.back().variable = frame.variable;
      ++frames_.back().round;
      frames_.back().next = 0;
      return true;
    }
  } else if (owner.op == "scf.while") {
    const Block &target = owner.regions[frame.condition ? 1 : 0];
    if (!frame.condition || go) {
      assign(target.arguments, 0);
      frames_.back() = {&target, 0, &owner};
      frames_.back().condition = !frame.condition;
      frames_.back().round = frame.round + 1;
      return true;
    }
  }
  assign(owner.results, 0);
  frames_.pop_back();
  ++frames_.back().next;
  return true;
}

void Core::set(const Statement &statement, Value value) {
  if (!statement.results.empty()) {
    values_[statement.results[0]] = std::move(value);
  }
}

std::string Core::scalar(int slot, int64_t &out) const {
  const Value &given = values_[slot];
  if (given.kind != Value::Kind::Scalar || given.number.isFloat) {
    return "needs an integer, and " + name(slot) + " is none";
  }
  out = given.number.i;
  return {};
}

std::string Core::tile(int slot, std::shared_ptr<TileValue> &out) const {
  if (values_[slot].kind != Value::Kind::Tile) {
    return "needs a tile, and " + name(slot) + " is none";
  }
  out = values_[slot].tile;
  return {};
}

std::string Core::partition(int slot, std::shared_ptr<ViewValue> &out) const {
  if (values_[slot].kind != Value::Kind::Partition && values_[slot].kind != Value::Kind::View) {
    return "needs a window of a tensor, and " + name(slot) + " is none";
  }
  out = values_[slot].view;
  return {};
}

std::string Core::read(const TileValue &tile, int64_t row, int64_t col, Number &out) {
  return memory(tile.type.space).read(tile.byteAddress(row, col), tile.type.dtype, out);
}

std::string Core::write(const TileValue &tile, int64_t row, int64_t col, Number value) {
  return memory(tile.type.space).write(tile.byteAddress(row, col), tile.type.dtype, value);
}

bool Core::isHole(const TileValue &tile, int64_t row, int64_t col) {
  const Memory &room = memory(tile.type.space);
  int64_t first = tile.byteAddress(row, col);
  bool inside = first >= 0 && first < room.size();
  return inside && !room.isWritten(first);
}

void Core::forget(const TileValue &tile, int64_t row, int64_t col) {
  memory(tile.type.space).forget(tile.byteAddress(row, col), info(tile.type.dtype).bytes);
}

std::string Core::readAll(const TileValue &tile, int64_t rows, int64_t cols, std::vector<double> &out) {
  out.resize(rows * cols);
  Number number;
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t c = 0; c < cols; ++c) {
      if (std::string wrong = read(tile, r, c, number); !wrong.empty()) {
        return wrong + " (element " + std::to_string(r) + ", " + std::to_string(c) + ")";
      }
      out[r * cols + c] = number.asDouble();
    }
  }
  return {};
}

std::string Core::placeFault(Space space, int64_t first, int64_t size, bool ofPipe) const {
  bool known = false;
  bool inside = false;
  for (const Reserved &room : reserved_) {
    if (room.space != space) {
      continue;
    }
    if (!ofPipe && first < room.end && room.first < first + size) {
      return "lies in a buffer that is a pipe's, from " + std::to_string(room.first) + " to " +
             std::to_string(room.end);
    }
    known = true;
    inside |= room.first <= first && first + size <= room.end;
  }
  return ofPipe && known && !inside ? "lies outside of the buffer of its pipe" : std::string();
}

int64_t Core::placeFor(const Statement &statement, const TileType &type) {
  auto known = places_.find(&statement);
  if (known != places_.end()) {
    return known->second;
  }
  // Behind the physical memory: no tile with an address of its own can meet one without.
  Memory &room = memory(type.space);
  constexpr int64_t kAlignment = 512;
  int64_t place = (room.size() + kAlignment - 1) / kAlignment * kAlignment;
  room.grow(place + type.rows * type.cols * info(type.dtype).bytes);
  places_.emplace(&statement, place);
  return place;
}

} // namespace placid::interp
