// SPDX-License-Identifier: Apache-2.0
#include "compiler/pro/lower/build_module.h"

#include "compiler/dialect/pl/ir/pl.h"
#include "compiler/pro/lower/place_lives.h"
#include "compiler/pro/lower/trace_writer.h"

#include <array>

using namespace mlir;

namespace placid::pro {

namespace {

struct Named {
  std::string_view op;
  llvm::StringLiteral tile;
};
constexpr std::array<Named, 7> kTileTile{{{"add", "tile.add"},
                                          {"sub", "tile.sub"},
                                          {"mul", "tile.mul"},
                                          {"div", "tile.div"},
                                          {"maximum", "tile.maximum"},
                                          {"minimum", "tile.minimum"},
                                          {"and_", "tile.and"}}};
constexpr std::array<Named, 6> kTileScalar{{{"add", "tile.adds"},
                                            {"sub", "tile.subs"},
                                            {"mul", "tile.muls"},
                                            {"div", "tile.divs"},
                                            {"maximum", "tile.maximums"},
                                            {"minimum", "tile.minimums"}}};
constexpr std::array<Named, 3> kRows{
    {{"sum", "tile.row_sum"}, {"maximum", "tile.row_max"}, {"minimum", "tile.row_min"}}};
constexpr std::array<Named, 3> kColumns{
    {{"sum", "tile.col_sum"}, {"maximum", "tile.col_max"}, {"minimum", "tile.col_min"}}};
constexpr std::array<Named, 3> kRowExpand{{{"expand_mul", "tile.row_expand_mul"},
                                           {"expand_sub", "tile.row_expand_sub"},
                                           {"expand_div", "tile.row_expand_div"}}};
constexpr std::array<Named, 3> kColumnExpand{{{"expand_mul", "tile.col_expand_mul"},
                                              {"expand_sub", "tile.col_expand_sub"},
                                              {"expand_div", "tile.col_expand_div"}}};

template <size_t N> llvm::StringRef tileName(const std::array<Named, N> &rows, std::string_view op) {
  for (const Named &row : rows) {
    if (row.op == op) {
      return row.tile;
    }
  }
  return {};
}

/// Builds one function. Anything without a form is refused, and what is built after that is thrown away.
class Builder : TraceWriter {
public:
  Builder(MLIRContext &context, Trace &trace, const ModuleNames &names, target::Arch arch)
      : TraceWriter(context, trace, names, arch), parts_(trace.tiles.size()), lost_(trace.tiles.size(), false) {}

  OwningOpRef<ModuleOp> build() {
    OwningOpRef<ModuleOp> module = ModuleOp::create(location(names_.at));
    (*module)->setAttr(pl::kArchAttr, builder_.getStringAttr(std::string(target::archName(arch_))));
    std::map<int, Type> inputs; // by the number of the parameter
    SmallVector<Type> results;
    for (const TraceTensor &tensor : trace_.tensors) {
      Type type = tensorType(tensor.info);
      if (!type) {
        refuse(tensor.info.annotation, "`" + tensor.info.name + "` has no form at the tile level");
        return nullptr;
      }
      inputs[tensor.info.number] = type;
      if (tensor.written) {
        results.push_back(type);
      }
    }
    for (const TraceScalar &scalar : trace_.scalars) {
      Type type = scalarTypeOf(scalar.dtype);
      if (!type) {
        refuse(names_.at, "the number `" + scalar.name + "` has no form at the tile level");
        return nullptr;
      }
      inputs[scalar.number] = type;
    }
    SmallVector<Type> types;
    std::map<int, unsigned> places;
    for (const auto &[number, type] : inputs) {
      places[number] = static_cast<unsigned>(types.size());
      types.push_back(type);
    }
    builder_.setInsertionPointToEnd(module->getBody());
    auto function =
        func::FuncOp::create(builder_, location(names_.at), names_.function, builder_.getFunctionType(types, results));
    function->setAttr(pl::kKindAttr, builder_.getStringAttr("incore"));
    function->setAttr(pl::kEntryAttr, builder_.getStringAttr(names_.entry));
    Block *entry = function.addEntryBlock();
    for (auto [i, tensor] : llvm::enumerate(trace_.tensors)) {
      unsigned place = places[tensor.info.number];
      bool both = tensor.written && tensor.read;
      llvm::StringRef direction = both ? "inout" : tensor.written ? "out" : "in";
      function.setArgAttr(place, pl::kNameAttr, builder_.getStringAttr(tensor.info.name));
      function.setArgAttr(place, pl::kDirAttr, builder_.getStringAttr(direction));
      function.setArgAttr(place, pl::kAnnotationAttr, LocationAttr(location(tensor.info.annotation)));
      tensors_[i] = entry->getArgument(place);
    }
    for (const TraceScalar &scalar : trace_.scalars) {
      unsigned place = places[scalar.number];
      function.setArgAttr(place, pl::kNameAttr, builder_.getStringAttr(scalar.name));
      scalars_[scalar.number] = {entry->getArgument(place), name(scalar.dtype).starts_with("U")};
    }
    builder_.setInsertionPointToEnd(entry);
    nodes(trace_.body, {});
    SmallVector<Value> returned;
    for (auto [i, tensor] : llvm::enumerate(trace_.tensors)) {
      if (tensor.written) {
        returned.push_back(tensors_[i]);
      }
    }
    func::ReturnOp::create(builder_, location(names_.at), returned);
    return trace_.refused.empty() ? std::move(module) : OwningOpRef<ModuleOp>();
  }

private:
  //===-- Places --------------------------------------------------------------------------------------------------===//

  void refuseLost(unsigned place, Site at) {
    refuse(at,
           "`" + trace_.tiles[place].name +
               "` holds nothing that was written on every way here: slots filled in an earlier round are not lowered");
  }

  Value read(unsigned place, Site at) {
    if (!tiles_[place]) {
      refuseLost(place, at);
      pl::TileType type = tileType(trace_.tiles[place].type);
      return type ? Value(pl::TileCreateOp::create(builder_, location(at), type)) : Value();
    }
    return tiles_[place];
  }

  /// What a place held before it was forgotten, or before its bytes were written by another name, is lost.
  void forget(unsigned place) {
    tiles_[place] = nullptr;
    parts_[place].clear();
    lost_[place] = true;
  }

  /// What shares bytes with the place, or may share them, is gone.
  void forgetOverlaps(unsigned place) {
    const TraceTile &tile = trace_.tiles[place];
    for (auto [i, other] : llvm::enumerate(trace_.tiles)) {
      bool known = tile.begin && tile.end && other.begin && other.end;
      bool apart = *tile.type.space != *other.type.space || (tile.group >= 0 && tile.group == other.group) ||
                   (known && (*tile.end <= *other.begin || *other.end <= *tile.begin));
      if (i != place && !apart && (tiles_[i] || lost_[i])) {
        forget(static_cast<unsigned>(i));
      }
    }
  }

  void write(unsigned place, Value value) {
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
      switch (list[i].kind) {
      case TraceNode::Kind::Operation:
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
      if (wanted.contains(place)) {
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
    auto made = scf::ForOp::create(builder_, loc, first, end, step, initial);
    made->setAttr(pl::kLoopKindAttr, builder_.getStringAttr("range"));
    made->setAttr(pl::kResultNamesAttr, namesOf(carried));
    Held before = held();
    {
      OpBuilder::InsertionGuard guard(builder_);
      builder_.setInsertionPointToStart(made.getBody());
      loops_[node.loop] = made.getInductionVar();
      // What the body writes and does not carry holds the last round's value in every round but the first.
      endWritten(node);
      take(carried, made.getRegionIterArgs());
      nodes(node.body, wanted);
      SmallVector<Value> yielded = current(carried, node.at);
      if (made.getBody()->mightHaveTerminator() && !made.getBody()->empty() &&
          made.getBody()->back().hasTrait<OpTrait::IsTerminator>()) {
        made.getBody()->back().erase();
      }
      builder_.setInsertionPointToEnd(made.getBody());
      scf::YieldOp::create(builder_, loc, yielded);
    }
    restore(before);
    endWritten(node);
    take(carried, made.getResults());
  }

  void branch(const TraceNode &node, const Places &after) {
    Location loc = location(node.at);
    Carried carried = carriedBy(node, after);
    if (!trace_.refused.empty()) {
      return;
    }
    Value condition = truth(*node.condition, loc);
    auto made = scf::IfOp::create(builder_, loc, carried.types, condition, /*addThenBlock=*/true,
                                  /*addElseBlock=*/true);
    made->setAttr(pl::kResultNamesAttr, namesOf(carried));
    Held before = held();
    std::vector<Value> tensors = tensors_;
    auto side = [&](Block *block, const std::vector<TraceNode> &list) {
      OpBuilder::InsertionGuard guard(builder_);
      if (!block->empty() && block->back().hasTrait<OpTrait::IsTerminator>()) {
        block->back().erase();
      }
      builder_.setInsertionPointToEnd(block);
      nodes(list, after);
      SmallVector<Value> yielded = current(carried, node.at);
      scf::YieldOp::create(builder_, loc, yielded);
      restore(before);
      tensors_ = tensors;
    };
    side(made.thenBlock(), node.body);
    side(made.elseBlock(), node.otherwise);
    endWritten(node);
    take(carried, made.getResults());
  }

  //===-- Operations ----------------------------------------------------------------------------------------------===//

  Value generic(llvm::StringRef op, pl::TileType type, ArrayRef<std::pair<llvm::StringRef, Value>> operands,
                Location loc) {
    SmallVector<Value> values;
    SmallVector<Attribute> names;
    for (const auto &[name, value] : operands) {
      names.push_back(builder_.getStringAttr(name));
      values.push_back(value);
    }
    return pl::GenericOp::create(builder_, loc, TypeRange{type}, builder_.getStringAttr(op), values,
                                 builder_.getArrayAttr(names))
        .getResult(0);
  }

  void operation(const TraceNode &node) {
    Location loc = location(node.at);
    pl::TileType type = node.written ? typeOf(*node.written, node.at) : pl::TileType();
    SmallVector<Value> operands;
    for (unsigned place : node.read) {
      operands.push_back(read(place, node.at));
      const std::vector<Index> &part = parts_[place];
      if (!std::equal(part.begin(), part.end(), node.valid.begin(), node.valid.end(), sameIndex)) {
        refuse(node.at, "the part of `" + trace_.tiles[place].name + "` in use has changed since it was written");
      }
    }
    if (!trace_.refused.empty()) {
      return;
    }
    bool partly =
        node.op.starts_with("load") || node.op.starts_with("store") || (type && type.getMem() == pl::Mem::Vec);
    if (!node.valid.empty() && (!partly || node.dim >= 0)) {
      return refuse(node.at, "a part of a tile in use is lowered for transfers and element-wise operations only");
    }
    if (node.op.starts_with("store")) {
      return store(node, operands[0], loc);
    }
    Value made = node.op.starts_with("load") ? load(node, type, loc)
                 : node.op == "move"         ? move(node, type, operands[0], loc)
                 : node.op == "matmul" ? Value(pl::TileMatmulOp::create(builder_, loc, type, operands[0], operands[1]))
                 : node.op == "matmul_acc"
                     ? Value(pl::TileMatmulAccOp::create(builder_, loc, type, operands[0], operands[1], operands[2]))
                     : vector(node, type, operands, loc);
    if (made) {
      write(*node.written, made);
      parts_[*node.written] = node.valid;
    } else {
      refuse(node.at, "`pl." + std::string(node.op) + "` has no counterpart at the tile level yet");
    }
  }

  Value load(const TraceNode &node, pl::TileType type, Location loc) {
    Value source = tensors_[*node.tensor];
    const TensorInfo &info = trace_.tensors[*node.tensor].info;
    bool turned = node.axes[0] > node.axes[1];
    if (turned != type.getTransposed() || (info.layout == Layout::NZ && type.getMem() != pl::Mem::Mat)) {
      return {};
    }
    SmallVector<int64_t> sizes(info.shape.size(), 1);
    sizes[static_cast<size_t>(node.axes[0])] = type.getShape()[0];
    sizes[static_cast<size_t>(node.axes[1])] = type.getShape()[1];
    SmallVector<Value> dynamic;
    SmallVector<int64_t> statics;
    split(node.offsets, loc, dynamic, statics);
    pl::TileType read = type;
    if (turned) {
      SmallVector<int64_t> shape{type.getShape()[1], type.getShape()[0]};
      read = pl::TileType::get(builder_.getContext(), shape, type.getDtype(), type.getMem());
    }
    SmallVector<Value> live;
    SmallVector<int64_t> liveStatics;
    if (!node.valid.empty()) {
      if (turned) {
        return {};
      }
      std::vector<Index> wanted(info.shape.size(), constantIndex(1));
      wanted[static_cast<size_t>(node.axes[0])] = node.valid[0];
      wanted[static_cast<size_t>(node.axes[1])] = node.valid[1];
      split(wanted, loc, live, liveStatics);
      SmallVector<int64_t> part{liveStatics[static_cast<size_t>(node.axes[0])],
                                liveStatics[static_cast<size_t>(node.axes[1])]};
      read = withValid(type, part);
    }
    Value made = pl::TileLoadOp::create(builder_, loc, read, source, dynamic, statics, sizes, live, liveStatics);
    return turned ? Value(pl::TileTransposeViewOp::create(builder_, loc, type, made)) : made;
  }

  void store(const TraceNode &node, Value tile, Location loc) {
    SmallVector<Value> dynamic;
    SmallVector<int64_t> statics;
    split(node.offsets, loc, dynamic, statics);
    auto type = cast<pl::TileType>(tile.getType());
    size_t rank = statics.size();
    bool last = node.axes[0] + 1 == node.axes[1] && static_cast<size_t>(node.axes[1]) + 1 == rank;
    SmallVector<int64_t> sizes(rank, 1);
    sizes[static_cast<size_t>(node.axes[0])] = type.getShape()[0];
    sizes[static_cast<size_t>(node.axes[1])] = type.getShape()[1];
    DenseI64ArrayAttr partition = last && rank == 2 ? DenseI64ArrayAttr() : builder_.getDenseI64ArrayAttr(sizes);
    Value dest = tensors_[*node.tensor];
    tensors_[*node.tensor] = pl::TileStoreOp::create(builder_, loc, dest.getType(), tile, dest, dynamic, statics,
                                                     partition, StringAttr(), false, false, StringAttr());
  }

  Value move(const TraceNode &node, pl::TileType type, Value source, Location loc) {
    if (!node.valid.empty()) {
      return {};
    }
    auto from = cast<pl::TileType>(source.getType());
    bool same = from.getShape() == type.getShape();
    bool zero = llvm::all_of(node.offsets, [](const Index &offset) {
      return offset->range && offset->range->isSingle() && offset->range->low == 0;
    });
    if (same && zero) {
      return pl::TileMoveOp::create(builder_, loc, type, source);
    }
    bool part = from.getShape()[0] >= type.getShape()[0] && from.getShape()[1] >= type.getShape()[1];
    if (!part || node.offsets.size() != 2 || from.getTransposed()) {
      return {};
    }
    SmallVector<Value> dynamic;
    SmallVector<int64_t> statics;
    split(node.offsets, loc, dynamic, statics);
    return pl::TileExtractOp::create(builder_, loc, type, source, dynamic, statics);
  }

  Value vector(const TraceNode &node, pl::TileType type, ArrayRef<Value> operands, Location loc) {
    if (node.op == "expands") {
      if (!node.valid.empty()) {
        return {};
      }
      Value target = pl::TileCreateOp::create(builder_, loc, type);
      return generic("tile.expands", type, {{"target", target}, {"scalar", scalar(node, type, loc)}}, loc);
    }
    auto from = cast<pl::TileType>(operands[0].getType());
    if (node.dim < 0) {
      type = withValid(type, from.getValid());
    }
    if (node.op == "cast") {
      Value made = generic("tile.cast", type, {{"tile", operands[0]}}, loc);
      made.getDefiningOp()->setAttr("target_type", builder_.getStringAttr(pl::stringifyDType(type.getDtype())));
      made.getDefiningOp()->setAttr("mode", builder_.getStringAttr(node.mode));
      return made;
    }
    if (operands.size() == 2 && node.dim >= 0) {
      llvm::StringRef op = node.dim == 0 ? tileName(kRowExpand, node.op) : tileName(kColumnExpand, node.op);
      llvm::StringRef second = node.dim == 0 ? "row_vec" : "col_vec";
      return op.empty() ? Value() : generic(op, type, {{"tile", operands[0]}, {second, operands[1]}}, loc);
    }
    if (node.dim == 0) {
      llvm::StringRef op = tileName(kRows, node.op);
      Value scratch = pl::TileCreateOp::create(builder_, loc, from);
      return op.empty() ? Value() : generic(op, type, {{"tile", operands[0]}, {"tmp_tile", scratch}}, loc);
    }
    if (node.dim == 1) {
      llvm::StringRef op = tileName(kColumns, node.op);
      return op.empty() ? Value() : generic(op, type, {{"tile", operands[0]}}, loc);
    }
    if (operands.size() == 2) {
      llvm::StringRef op = tileName(kTileTile, node.op);
      return op.empty() ? Value() : generic(op, type, {{"lhs", operands[0]}, {"rhs", operands[1]}}, loc);
    }
    if (node.number) {
      llvm::StringRef op = tileName(kTileScalar, node.op);
      return op.empty() ? Value() : generic(op, type, {{"lhs", operands[0]}, {"rhs", scalar(node, type, loc)}}, loc);
    }
    return generic("tile." + std::string(node.op), type, {{"tile", operands[0]}}, loc);
  }

  Value scalar(const TraceNode &node, pl::TileType type, Location loc) {
    Type element = pl::scalarType(builder_.getContext(), type.getDtype());
    if (isa<FloatType>(element)) {
      return arith::ConstantOp::create(builder_, loc, TypedAttr(builder_.getFloatAttr(element, *node.number)));
    }
    int64_t whole = node.whole.value_or(0);
    unsigned bits = element.getIntOrFloatBitWidth();
    bool isUnsigned = type.getDtype() == pl::DType::UI8 || type.getDtype() == pl::DType::UI16 ||
                      type.getDtype() == pl::DType::UI32 || type.getDtype() == pl::DType::UI64;
    bool fits = isUnsigned ? whole >= 0 && (bits >= 64 || llvm::isUIntN(bits, static_cast<uint64_t>(whole)))
                           : bits >= 64 || llvm::isIntN(bits, whole);
    if (!node.whole || !fits) {
      refuse(node.at, "a number that the elements of an integer tile cannot hold is not lowered");
      whole = 0;
    }
    APInt held(bits, static_cast<uint64_t>(whole), /*isSigned=*/true, /*implicitTrunc=*/true);
    return arith::ConstantOp::create(builder_, loc, TypedAttr(builder_.getIntegerAttr(element, held)));
  }

  std::vector<std::vector<Index>> parts_; ///< By place: the part that was written; empty: all of it.
  std::vector<bool> lost_;                ///< By place: it held a value that is gone.
};

} // namespace

OwningOpRef<ModuleOp> buildModule(MLIRContext &context, Trace &trace, const ModuleNames &names, target::Arch arch) {
  if (!trace.refused.empty()) {
    return nullptr;
  }
  return Builder(context, trace, names, arch).build();
}

} // namespace placid::pro
