// SPDX-License-Identifier: Apache-2.0
// One core that runs one function of PTO IR: its values, its memories, its place in the control flow. It runs until it
// is done, fails or waits for another core, so that several can be run in turns without threads. Operations live in
// the ops_*.cpp files; this knows none by name but the structured control flow. One thread.
#pragma once

#include "compiler/interpreter/memory.h"
#include "compiler/interpreter/tile.h"

#include <memory>
#include <optional>

namespace placid::interp {

/// Shape and strides count elements; `offset` is that of the first element.
struct ViewValue {
  Memory *buffer = nullptr;
  DType dtype = DType::F32;
  int64_t offset = 0;
  std::vector<int64_t> shape, strides;
  Layout layout = Layout::ND;
};

struct Value {
  enum class Kind : uint8_t { None, Scalar, Ptr, View, Partition, Tile, Array } kind = Kind::None;
  DType dtype = DType::Index;
  Number number;
  Memory *buffer = nullptr; ///< Of a pointer.
  int64_t offset = 0;       ///< Of a pointer, in elements.
  std::shared_ptr<ViewValue> view;
  std::shared_ptr<TileValue> tile;
  std::shared_ptr<std::vector<std::optional<Number>>> array; ///< Elements that nobody wrote have none.
  uint64_t origin = 0; ///< A hash of how it came from what was read; 0: it did not. Only in a run with origins.

  static Value ofScalar(DType type, Number number);
  static Value ofPtr(DType type, Memory *buffer);
  static Value ofTile(std::shared_ptr<TileValue> tile);
};

class Core;
class CorePipes;

/// An operation: what went wrong, or empty.
using Operation = std::string (*)(Core &, const Statement &);

struct Identity {
  int64_t block = 0;
  int64_t blocks = 1;
  int64_t subblock = 0;
  int64_t subblocks = 1;
};

class Core {
public:
  enum class State : uint8_t { Ready, Waiting, Done, Failed };

  /// `function` and the buffers behind `arguments` must outlive the core. `arch` is "a2", "a3" or "a5".
  Core(const Function &function, std::vector<Value> arguments, const std::string &arch, Identity identity);

  /// Runs at most `statements` statements, and counts them down: Ready means that there are more. `untilGiven`: stops
  /// behind one that another core may wait for.
  State run(int64_t &statements, bool untilGiven);
  const Fault &fault() const { return fault_; }
  const Statement *current() const { return current_; }

  // What operations use. Strings are faults; empty means fine.
  Value &value(int slot) { return values_[slot]; }
  void set(const Statement &statement, Value value);
  const std::string &arch() const { return arch_; }
  const Identity &identity() const { return identity_; }
  bool isCube() const { return function_.kind == "cube"; }
  /// The pipes to the other cores of its group; null for a core that runs alone.
  CorePipes *pipes() const { return pipes_; }
  void join(CorePipes *pipes) { pipes_ = pipes; }
  /// The core whose memories the tiles in L1 lie in: the cube core of the group.
  void shareMat(Core *cube) { mat_ = cube; }
  /// Null for a run that nobody looks at.
  void follow(Origins *origins);
  Origins *origins() const { return origins_; }
  std::string scalar(int slot, int64_t &out) const;
  std::string tile(int slot, std::shared_ptr<TileValue> &out) const;
  std::string partition(int slot, std::shared_ptr<ViewValue> &out) const;
  std::string name(int slot) const { return "`%" + function_.slotNames[slot] + "`"; }
  Memory &memory(Space space) {
    Core *owner = mat_ != nullptr && space == Space::Mat ? mat_ : this;
    return owner->memories_[static_cast<size_t>(space)];
  }
  std::string read(const TileValue &tile, int64_t row, int64_t col, Number &out);
  std::string write(const TileValue &tile, int64_t row, int64_t col, Number value);
  /// Whether the element is there and nothing has written it.
  bool isHole(const TileValue &tile, int64_t row, int64_t col);
  /// As if nothing had written the element.
  void forget(const TileValue &tile, int64_t row, int64_t col);
  /// Rows × cols of the valid part, row after row.
  std::string readAll(const TileValue &tile, int64_t rows, int64_t cols, std::vector<double> &out);
  /// The address of a tile that has none, the same for every execution of one alloc_tile.
  int64_t placeFor(const Statement &statement, const TileType &type);
  /// Bytes that are for a pipe alone.
  void reserve(Space space, int64_t first, int64_t size) { reserved_.push_back({space, first, first + size}); }
  /// What is wrong with a tile at these bytes, or with the tile of a pipe. Empty means fine, as where nothing is
  /// reserved.
  std::string placeFault(Space space, int64_t first, int64_t size, bool ofPipe) const;
  /// An operation that cannot go on yet says so and runs again later.
  void wait() { waiting_ = true; }

private:
  struct Frame {
    const Block *block;
    size_t next;
    const Statement *owner; ///< Null for the function's body.
    int64_t variable = 0, bound = 0, step = 0;
    bool condition = false; ///< The first region of a while.
    uint64_t round = 0;     ///< Of a loop, from 0.
  };
  bool step();
  void enter(const Block &block, const Statement *owner);
  bool enterFor(const Statement &statement);
  bool leave(const std::vector<int> &yielded, bool go);
  bool control(const Statement &statement, bool &handled);
  bool fail(const Statement &statement, const std::string &why);
  std::string perform(Operation operation, const Statement &statement);
  uint64_t numbersOf(const Statement &statement, bool &cameFromData);
  bool isViewOfData(const Statement &statement) const;
  uint64_t writingOf(const Statement &statement);
  uint64_t position() const;
  void decide(const Statement &statement, size_t count, int slot);

  const Function &function_;
  std::string arch_;
  Identity identity_;
  CorePipes *pipes_ = nullptr;
  Core *mat_ = nullptr;
  Origins *origins_ = nullptr;
  uint32_t number_ = 0; ///< Of the origins.
  std::vector<Value> values_;
  std::vector<Frame> frames_;
  std::vector<Memory> memories_;
  struct Reserved {
    Space space;
    int64_t first, end;
  };
  std::vector<Reserved> reserved_;
  std::map<const Statement *, int64_t> places_;
  std::map<const Statement *, uint64_t> writings_;    ///< What was worked out of each.
  std::map<std::shared_ptr<void>, uint64_t> changed_; ///< Origins of what changed in place. Not walked.
  const Statement *current_ = nullptr;
  bool waiting_ = false;
  Fault fault_;
};

/// `pto.tmov` of an accumulator into the memories of the vector lanes: what was wrong, or empty.
std::string moveToLanes(Core &core, const Statement &statement, const TileValue &from, const TileValue &to);

/// Null when there is none of this name.
Operation findOperation(const std::string &name);

using OperationTable = std::map<std::string, Operation, std::less<>>;
void addScalarOperations(OperationTable &table);
void addDataOperations(OperationTable &table);
void addViewOperations(OperationTable &table);
void addCoreOperations(OperationTable &table);
void addCubeOperations(OperationTable &table);
void addVectorOperations(OperationTable &table);
void addIndexOperations(OperationTable &table);
void addQuantOperations(OperationTable &table);
void addPipeOperations(OperationTable &table);
void addDeviceOperations(OperationTable &table);

} // namespace placid::interp
