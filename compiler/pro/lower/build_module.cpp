// SPDX-License-Identifier: Apache-2.0
#include "compiler/pro/lower/build_module.h"

#include "compiler/dialect/pl/ir/core_ops.h"
#include "compiler/dialect/pl/ir/pl.h"
#include "compiler/pro/lower/operation_writer.h"
#include "compiler/pro/lower/parts.h"
#include "compiler/pro/lower/place_lives.h"

using namespace mlir;

namespace placid::pro {

namespace {

/// Builds one function. Anything without a form is refused, and what is built after that is thrown away.
class Builder : OperationWriter {
public:
  Builder(MLIRContext &context, Trace &trace, const ModuleNames &names, target::Arch arch)
      : OperationWriter(context, trace, names, arch), parts_(trace.tiles.size()), lost_(trace.tiles.size(), false),
        bytes_(trace.tiles.size()) {}

  /// The function is one of two, and `other` runs beside it. `bytes`: see SharedPlaces.
  void pair(bool cube, const Trace &other, std::vector<Extent> bytes) {
    side_ = cube ? Side::Cube : Side::Vector;
    other_ = &other;
    bytes_ = std::move(bytes);
  }

  /// The place because of which it was refused, where it could be lowered as bytes.
  std::optional<unsigned> lostBytes() const { return lostBytes_; }

  OwningOpRef<ModuleOp> newModule() {
    OwningOpRef<ModuleOp> module = ModuleOp::create(location(names_.at));
    (*module)->setAttr(pl::kArchAttr, builder_.getStringAttr(std::string(target::archName(arch_))));
    return module;
  }

  /// False after a reason.
  bool build(ModuleOp module) {
    func::FuncOp function = declare(module, other_);
    if (!function) {
      return false;
    }
    Block *entry = &function.getBody().front();
    builder_.setInsertionPointToEnd(entry);
    used_ = usedVariables(trace_.body);
    nodes(trace_.body, {});
    SmallVector<Value> returned;
    for (auto [i, tensor] : llvm::enumerate(trace_.tensors)) {
      if (tensor.written) {
        returned.push_back(tensors_[i]);
      }
    }
    func::ReturnOp::create(builder_, location(names_.at), returned);
    return trace_.refused.empty();
  }

private:
  //===-- Places --------------------------------------------------------------------------------------------------===//

  void refuseLost(unsigned place, Site at) {
    const TraceTile &tile = trace_.tiles[place];
    bool bytes = *tile.type.space == Space::Vec && *tile.type.layout != Layout::NZ && tile.group < 0 && !tile.index &&
                 tile.begin && tile.end && lost_[place];
    lostBytes_ = trace_.refused.empty() && bytes ? std::optional(place) : lostBytes_;
    trace_.slots = trace_.slots || (trace_.refused.empty() && trace_.tiles[place].group >= 0);
    refuse(at,
           "`" + trace_.tiles[place].name +
               "` holds nothing that was written on every way here: slots filled in an earlier round are not lowered");
  }

  /// The bytes of a shared place, under its own type or, `plain`, in the order in which L1 is filled.
  Value bytesOf(unsigned place, Site at, bool plain = false) {
    Value &made = shown_[{place, plain}];
    pl::TileType type = made ? pl::TileType() : typeOf(place, at);
    if (type) {
      OpBuilder::InsertionGuard guard(builder_);
      Block *top = builder_.getInsertionBlock();
      while (!isa<func::FuncOp>(top->getParentOp())) {
        top = top->getParentOp()->getBlock();
      }
      builder_.setInsertionPointToStart(top);
      if (plain) { // ZN is the NZ of the matrix that is turned
        SmallVector<int64_t> shape(type.getShape());
        if (type.getTransposed()) {
          std::swap(shape[0], shape[1]);
        }
        type = pl::TileType::get(builder_.getContext(), shape, type.getDtype(), type.getMem());
      }
      made = pl::SharedTileOp::create(builder_, location(at), type, *bytes_[place]);
      made.getDefiningOp()->setAttr(pl::kResultNameAttr, builder_.getStringAttr(trace_.tiles[place].name));
    }
    return made;
  }

  Value read(unsigned place, Site at) {
    if (bytes_[place]) {
      return bytesOf(place, at);
    }
    if (!tiles_[place]) {
      refuseLost(place, at);
      pl::TileType type = tileType(trace_.tiles[place].type);
      return type ? Value(pl::TileCreateOp::create(builder_, location(at), type)) : Value();
    }
    return tiles_[place];
  }

  /// What a place held before it was forgotten, or before its bytes were written by another name, is lost.
  void forget(unsigned place) {
    if (bytes_[place]) {
      return; // memory, whoever writes it
    }
    tiles_[place] = nullptr;
    parts_[place].clear();
    lost_[place] = true;
  }

  /// What shares bytes with the place, or may share them, is gone: what another name wrote, and what nobody wrote under
  /// its own name. Tiles of a group that were taken in turn and hold something lie apart.
  void forgetOverlaps(unsigned place) {
    const TraceTile &tile = trace_.tiles[place];
    for (auto [i, other] : llvm::enumerate(trace_.tiles)) {
      bool known = tile.begin && tile.end && other.begin && other.end;
      bool turns = tile.group >= 0 && tile.group == other.group && !tile.index && tiles_[i];
      bool apart = *tile.type.space != *other.type.space || turns ||
                   (known && (*tile.end <= *other.begin || *other.end <= *tile.begin));
      if (i != place && !apart) {
        forget(static_cast<unsigned>(i));
      }
    }
  }

  void write(unsigned place, Value value, Site at) {
    if (bytes_[place]) {
      const bool vec = cast<pl::TileType>(value.getType()).getMem() == pl::Mem::Vec;
      if (!vec || isBits(value)) {
        return refuse(at, "a tile whose bytes both cores use is filled in a way that is not lowered");
      }
      return put(value, bytesOf(place, at), "copy", location(at));
    }
    if (Operation *made = value.getDefiningOp()) {
      made->setAttr(pl::kResultNameAttr, builder_.getStringAttr(trace_.tiles[place].name));
    }
    forgetOverlaps(place);
    tiles_[place] = value;
    parts_[place].clear();
    lost_[place] = false;
  }

  //===-- Nodes ---------------------------------------------------------------------------------------------------===//

  void nodes(const std::vector<TraceNode> &list, const Places &after) {
    std::vector<Places> live = livesAfter(list, after);
    for (size_t i = 0; i < list.size() && trace_.refused.empty(); ++i) {
      now_ = list[i].at;
      switch (list[i].kind) {
      case TraceNode::Kind::Operation:
        if (list[i].op == "element.read" && !used_.contains(list[i].result)) {
          break; // nobody looks at it
        }
        operation(list[i]);
        break;
      case TraceNode::Kind::Loop:
        loop(list[i], live[i]);
        break;
      case TraceNode::Kind::Branch:
        branch(list[i], live[i]);
        break;
      case TraceNode::Kind::Forget:
        for (unsigned place : list[i].read) {
          forget(place);
        }
        break;
      }
    }
  }

  /// The values that a loop or branch hands on: tiles that are read later, and tensors that it writes.
  struct Carried {
    std::vector<unsigned> tiles;
    std::vector<unsigned> tensors;
    SmallVector<Type> types;
  };

  Carried carriedBy(const TraceNode &node, const Places &wanted) {
    Carried out;
    Effects effects = effectsOf(node);
    for (unsigned place : effects.written) {
      if (wanted.contains(place) && !bytes_[place]) {
        pl::TileType type = typeOf(place, node.at);
        if (!type) {
          return out;
        }
        out.tiles.push_back(place);
        out.types.push_back(type);
      }
    }
    for (unsigned tensor : effects.tensors) {
      out.tensors.push_back(tensor);
      out.types.push_back(tensors_[tensor].getType());
    }
    return out;
  }

  /// What the carried places hold now; a place that nothing has written yet gets a tile of undefined contents, and so
  /// does one whose value nobody looks at before it is written. Null: all are looked at.
  SmallVector<Value> current(const Carried &carried, Site at, const Places *looked = nullptr) {
    Location loc = location(at);
    SmallVector<Value> out;
    for (unsigned place : carried.tiles) {
      Value value = tiles_[place];
      if (value && isBits(value)) {
        refuse(at, "`" + trace_.tiles[place].name + "` holds a comparison across this");
        value = nullptr;
      }
      if (value && value.getType() != tileType(trace_.tiles[place].type)) {
        refuse(at, "a part of `" + trace_.tiles[place].name + "` is in use across this");
        value = nullptr;
      }
      if (!value && lost_[place] && (!looked || looked->contains(place))) {
        refuseLost(place, at);
      }
      out.push_back(value ? value : Value(pl::TileCreateOp::create(builder_, loc, tileType(trace_.tiles[place].type))));
    }
    for (unsigned tensor : carried.tensors) {
      out.push_back(tensors_[tensor]);
    }
    return out;
  }

  void take(const Carried &carried, ValueRange values) {
    for (auto [i, place] : llvm::enumerate(carried.tiles)) {
      tiles_[place] = values[i];
      parts_[place].clear();
      lost_[place] = false;
    }
    for (auto [i, tensor] : llvm::enumerate(carried.tensors)) {
      tensors_[tensor] = values[carried.tiles.size() + i];
    }
  }

  /// The numbers that a loop or a branch gives, behind its tiles and tensors.
  void takeNumbers(ArrayRef<int64_t> numbers, ValueRange values) {
    ValueRange given = values.take_back(numbers.size());
    for (auto [number, value] : llvm::zip_equal(numbers, given)) {
      variables_[number] = value;
    }
  }

  /// What places hold, on one way.
  struct Held {
    std::vector<Value> tiles;
    std::vector<std::vector<Index>> parts;
    std::vector<bool> lost;
  };

  Held held() const { return {tiles_, parts_, lost_}; }

  void restore(const Held &before) {
    tiles_ = before.tiles;
    parts_ = before.parts;
    lost_ = before.lost;
  }

  /// Around and behind a loop or a branch: what it writes, and what shares bytes with that, holds nothing known.
  void endWritten(const TraceNode &node) {
    for (unsigned place : effectsOf(node).written) {
      forget(place);
      forgetOverlaps(place);
    }
  }

  ArrayAttr namesOf(const Carried &carried) {
    SmallVector<Attribute> names;
    for (unsigned place : carried.tiles) {
      names.push_back(builder_.getStringAttr(trace_.tiles[place].name));
    }
    for (unsigned tensor : carried.tensors) {
      names.push_back(builder_.getStringAttr(trace_.tensors[tensor].info.name));
    }
    return builder_.getArrayAttr(names);
  }

  void loop(const TraceNode &node, const Places &after) {
    Location loc = location(node.at);
    Places wanted = livesInLoop(node, after);
    Carried carried = carriedBy(node, wanted);
    if (!trace_.refused.empty()) {
      return;
    }
    Value first = index(*node.first, loc);
    Value end = index(*node.end, loc);
    Value step = index(*node.step, loc);
    Places looked = livesInFirstRound(node, wanted);
    SmallVector<Value> initial = current(carried, node.at, &looked);
    SmallVector<TraceCarried> numbers;
    SmallVector<int64_t> within;
    SmallVector<int64_t> behind;
    for (const TraceCarried &one : node.carried) {
      bool known = one.first && one.next;
      if (known && (used_.contains(one.within) || used_.contains(one.behind))) {
        numbers.push_back(one);
        within.push_back(one.within);
        behind.push_back(one.behind);
        initial.push_back(index(*one.first, loc));
      }
    }
    auto made = scf::ForOp::create(builder_, loc, first, end, step, initial);
    made->setAttr(pl::kLoopKindAttr, builder_.getStringAttr("range"));
    made->setAttr(pl::kResultNamesAttr, namesOf(carried));
    Held before = held();
    std::map<int64_t, Value> variables = variables_;
    {
      OpBuilder::InsertionGuard guard(builder_);
      builder_.setInsertionPointToStart(made.getBody());
      loops_[node.loop] = made.getInductionVar();
      // What the body writes and does not carry holds the last round's value in every round but the first.
      endWritten(node);
      take(carried, made.getRegionIterArgs());
      takeNumbers(within, made.getRegionIterArgs());
      nodes(node.body, wanted);
      now_ = node.at;
      SmallVector<Value> yielded = current(carried, node.at);
      for (const TraceCarried &one : numbers) {
        yielded.push_back(index(*one.next, loc));
      }
      if (made.getBody()->mightHaveTerminator() && !made.getBody()->empty() &&
          made.getBody()->back().hasTrait<OpTrait::IsTerminator>()) {
        made.getBody()->back().erase();
      }
      builder_.setInsertionPointToEnd(made.getBody());
      scf::YieldOp::create(builder_, loc, yielded);
    }
    restore(before);
    loops_.erase(node.loop);
    variables_ = std::move(variables);
    if (!hasRound(node)) {
      checkEmpty(node, carried, after);
    }
    endWritten(node);
    take(carried, made.getResults());
    takeNumbers(behind, made.getResults());
  }

  static bool hasRound(const TraceNode &node) {
    const Index missing = makeIndex(IndexNode::Kind::Sub, node.end, node.first);
    return missing && isPositive(*missing);
  }

  /// A loop without a round leaves what was there: bytes that something else wrote are refused, and where nothing was
  /// written the program reads what nobody knows, which is said.
  void checkEmpty(const TraceNode &node, const Carried &carried, const Places &after) {
    for (unsigned place : carried.tiles) {
      if (tiles_[place] || !after.contains(place)) {
        continue;
      }
      if (lost_[place]) {
        refuseLost(place, node.at);
      } else {
        trace_.unwritten.emplace_back(trace_.tiles[place].name, node.at);
      }
    }
  }

  void branch(const TraceNode &node, const Places &after) {
    Location loc = location(node.at);
    Carried carried = carriedBy(node, after);
    if (!trace_.refused.empty()) {
      return;
    }
    Value condition = truth(*node.condition, loc);
    SmallVector<TraceJoined> numbers;
    SmallVector<int64_t> behind;
    for (const TraceJoined &one : node.joined) {
      if (used_.contains(one.behind) && one.then && one.otherwise) {
        numbers.push_back(one);
        behind.push_back(one.behind);
        carried.types.push_back(builder_.getIndexType());
      }
    }
    auto made = scf::IfOp::create(builder_, loc, carried.types, condition, /*addThenBlock=*/true,
                                  /*addElseBlock=*/true);
    made->setAttr(pl::kResultNamesAttr, namesOf(carried));
    Held before = held();
    std::vector<Value> tensors = tensors_;
    std::map<int64_t, Value> variables = variables_;
    auto side = [&](Block *block, const std::vector<TraceNode> &list, bool first) {
      OpBuilder::InsertionGuard guard(builder_);
      if (!block->empty() && block->back().hasTrait<OpTrait::IsTerminator>()) {
        block->back().erase();
      }
      builder_.setInsertionPointToEnd(block);
      nodes(list, after);
      now_ = node.at;
      SmallVector<Value> yielded = current(carried, node.at);
      for (const TraceJoined &one : numbers) {
        yielded.push_back(index(first ? *one.then : *one.otherwise, loc));
      }
      scf::YieldOp::create(builder_, loc, yielded);
      restore(before);
      tensors_ = tensors;
      variables_ = variables;
    };
    side(made.thenBlock(), node.body, true);
    side(made.elseBlock(), node.otherwise, false);
    endWritten(node);
    take(carried, made.getResults());
    takeNumbers(behind, made.getResults());
  }

  //===-- Operations ----------------------------------------------------------------------------------------------===//

  void operation(const TraceNode &given) {
    TraceNode node = given;
    PartSettler settler{trace_, parts_};
    if (std::string why = settler.settle(node); !why.empty()) {
      return refuse(node.at, std::move(why));
    }
    Location loc = location(node.at);
    const bool flags = node.op == "core.set" || node.op == "core.wait";
    const bool crosses = node.op == kToLanes || node.op == "insert";
    if ((flags || crosses) && side_ == Side::Alone) {
      return refuse(node.at,
                    "what goes to the other core of a kernel of which one core has nothing to do is not lowered");
    }
    if (flags) {
      return flag(node, loc);
    }
    if (!checkBoxed(node)) {
      return;
    }
    pl::TileType type = node.written ? typeOf(*node.written, node.at) : pl::TileType();
    SmallVector<Value> operands;
    for (auto [i, place] : llvm::enumerate(node.read)) {
      operands.push_back(read(place, node.at));
      if (i < node.parts.size() && !samePart(parts_[place], node.parts[i]) && operands.back() &&
          !isBits(operands.back())) {
        operands.back() = narrowed(operands.back(), node.parts[i], loc);
      }
      // A comparison leaves bits, whose tile is another one than the program declares.
      bool bits = operands.back() && isBits(operands.back()) != (node.op == "select" && i == 0);
      if (bits) {
        refuse(node.at, "`" + trace_.tiles[place].name + "` is looked at as something else than a comparison made it");
      }
    }
    if (!trace_.refused.empty()) {
      return;
    }
    if (crosses) {
      Value target = bytesOf(*node.written, node.at, node.op == "insert");
      return !target ? void()
             : node.op == "insert"
                 ? insert(node, operands[0], target, loc)
                 : toLanes(node, operands[0], target, operands.size() > 1 ? operands[1] : Value(), loc);
    }
    if (node.op.starts_with("element")) {
      Value made = element(node, operands.empty() ? Value() : operands[0], loc);
      if (made && !bytes_[*node.written]) {
        write(*node.written, made, node.at);
      }
      return;
    }
    bool elementwise = node.dim < 0 && (!type || type.getMem() == pl::Mem::Vec);
    bool moves = node.op.starts_with("load") || node.op.starts_with("store") || node.op == "move" ||
                 node.op.starts_with("matmul");
    bool partly =
        !node.valid.empty() || llvm::any_of(node.parts, [](const std::vector<Index> &part) { return !part.empty(); });
    if (partly && !elementwise && !moves) {
      return refuse(node.at, "a part of a tile in use is not lowered for reductions and rows that are repeated");
    }
    if (node.op.starts_with("store")) {
      return store(node, operands[0], operands.size() > 1 ? operands[1] : Value(), loc);
    }
    Value made = compute(node, type, operands, loc);
    if (!made) {
      return refuse(node.at, "`pl." + std::string(node.op) + "` has no counterpart at the tile level yet");
    }
    bool matches = isBits(made) || liveOf(made) == expected(node.valid, type.getShape());
    if (!matches) {
      return refuse(node.at, "the part of `" + trace_.tiles[*node.written].name + "` in use is not what is written");
    }
    write(*node.written, made, node.at);
    if (!bytes_[*node.written]) {
      parts_[*node.written] = node.valid;
    }
  }

  /// Fractals in UB stand for the matrix they hold, which is no longer true where somebody looks at their order.
  bool checkBoxed(const TraceNode &node) {
    auto boxed = [&](unsigned place) {
      const TileTypeInfo &type = trace_.tiles[place].type;
      return *type.space == Space::Vec && *type.layout == Layout::NZ;
    };
    SmallVector<unsigned> places(node.read.begin(), node.read.end());
    if (node.written) {
      places.push_back(*node.written);
    }
    for (unsigned place : places) {
      if (boxed(place) && (bytes_[place] || (node.op != "move" && node.op != "insert"))) {
        refuse(node.at, "`" + trace_.tiles[place].name +
                            "`, fractals in UB, is lowered where it is filled by a move and inserted into L1 only");
        return false;
      }
    }
    return true;
  }

  static bool isBits(Value value) {
    auto made = value.getDefiningOp<pl::GenericOp>();
    return made && made.getName().starts_with("tile.cmp");
  }

  /// Rows and columns in use of a value, and those that a node says; what is known at run time only is -1.
  static SmallVector<int64_t> liveOf(Value value) {
    SmallVector<int64_t> out(cast<pl::TileType>(value.getType()).getValidOrShape());
    std::replace(out.begin(), out.end(), ShapedType::kDynamic, static_cast<int64_t>(-1));
    return out;
  }
  static SmallVector<int64_t> expected(const std::vector<Index> &valid, ArrayRef<int64_t> shape) {
    SmallVector<int64_t> out(shape);
    for (size_t i = 0; i < valid.size(); ++i) {
      out[i] = valid[i]->range && valid[i]->range->isSingle() ? valid[i]->range->low : -1;
    }
    return out;
  }

  std::vector<std::vector<Index>> parts_;            ///< By place: the part that was written; empty: all of it.
  std::vector<bool> lost_;                           ///< By place: its bytes hold what was not written as this place.
  std::set<int64_t> used_;                           ///< Variables that somebody looks at.
  std::vector<Extent> bytes_;                        ///< By place: where it lies in the bytes that both cores share.
  std::map<std::pair<unsigned, bool>, Value> shown_; ///< Those places, see bytesOf.
  std::optional<unsigned> lostBytes_;
  const Trace *other_ = nullptr; ///< Of the other core.
};

} // namespace

OwningOpRef<ModuleOp> buildModule(MLIRContext &context, Trace &trace, const ModuleNames &names, target::Arch arch) {
  if (!trace.refused.empty()) {
    return nullptr;
  }
  Builder builder(context, trace, names, arch);
  OwningOpRef<ModuleOp> module = builder.newModule();
  return builder.build(*module) ? std::move(module) : OwningOpRef<ModuleOp>();
}

OwningOpRef<ModuleOp> buildModule(MLIRContext &context, Trace &cube, Trace &vector, const ModuleNames &names,
                                  target::Arch arch, SharedPlaces &shared) {
  constexpr size_t kMostAsBytes = 64;
  const std::array<Trace *, 2> traces{&cube, &vector};
  std::array<std::set<unsigned>, 2> asBytes;
  for (;;) {
    shared = sharePlaces(cube, vector, asBytes);
    if (!cube.refused.empty() || !vector.refused.empty()) {
      return nullptr;
    }
    std::array<Builder, 2> builders{Builder(context, cube, names, arch), Builder(context, vector, names, arch)};
    OwningOpRef<ModuleOp> module = builders[0].newModule();
    bool good = true;
    for (size_t core = 0; core < builders.size() && good; ++core) {
      builders[core].pair(core == 0, *traces[1 - core], shared.addresses[core]);
      good = builders[core].build(*module);
    }
    if (good) {
      return module;
    }
    // What one name writes and another reads is read once more, as the bytes that they are.
    const size_t core = cube.refused.empty() ? 1 : 0;
    std::optional<unsigned> place = builders[core].lostBytes();
    if (!place || asBytes[core].size() == kMostAsBytes || !asBytes[core].insert(*place).second) {
      return nullptr;
    }
    for (Trace *trace : traces) {
      trace->refused.clear();
      trace->slots = false;
      trace->unwritten.clear();
    }
  }
}

} // namespace placid::pro
