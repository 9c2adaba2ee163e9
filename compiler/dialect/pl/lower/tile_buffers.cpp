// SPDX-License-Identifier: Apache-2.0
#include "compiler/dialect/pl/lower/tile_buffers.h"

#include "compiler/dialect/pl/lower/lowering.h"

#include <algorithm>

using namespace mlir;

namespace placid::pl {

namespace {

bool isTile(Value value) { return isa<TileType>(value.getType()); }

/// The op computes a tile's contents, rather than handing a buffer on or showing it under another type.
bool writesResult(Operation *op) { return !isa<TileCreateOp, scf::ForOp, scf::IfOp>(op) && !isBufferView(op); }

/// `a` and `b` are in different branches of one `scf.if`, so one execution of it sees at most one of them.
bool areExclusive(Operation *a, Operation *b) {
  for (Region *region = a->getParentRegion(); region; region = region->getParentRegion()) {
    auto branch = dyn_cast<scf::IfOp>(region->getParentOp());
    if (branch && branch->isProperAncestor(b) && !region->isAncestor(b->getParentRegion())) {
      return true;
    }
  }
  return false;
}

} // namespace

bool isBufferView(Operation *op) {
  if (auto generic = dyn_cast<GenericOp>(op)) {
    return generic.getName() == "tile.set_validshape";
  }
  return isa<TileReshapeOp, TileTransposeViewOp>(op) || op->hasAttr(kWindowAttr);
}

bool isElementWrite(Operation *op) {
  auto generic = dyn_cast<GenericOp>(op);
  return generic && (generic.getName() == "tile.write" || generic.getName() == "tensor.write");
}

Value overwrittenOperand(Operation *op) {
  if (auto matmul = dyn_cast<TileMatmulAccOp>(op)) {
    return matmul.getAcc();
  }
  auto generic = dyn_cast<GenericOp>(op);
  if (!generic || generic->getNumResults() != 1 || !isTile(generic->getResult(0)) ||
      generic.getFormKind() != ops::FormKind::Tile || generic.getRow().writesTile.empty()) {
    return {};
  }
  std::string_view parameter = generic.getRow().writesTile;
  return generic.getArgument(StringRef(parameter.data(), parameter.size()));
}

TileBuffers::TileBuffers(func::FuncOp function) : function_(function) {
  int64_t next = 0;
  number(function.getBody(), next);
  collectClasses(function);
  buildBuffers();
  findConflicts();
}

void TileBuffers::number(Region &region, int64_t &next) {
  for (Block &block : region) {
    for (Value argument : block.getArguments()) {
      addValue(argument, next);
    }
    for (Operation &op : block) {
      const int64_t begin = next++;
      for (Region &nested : op.getRegions()) {
        number(nested, next);
      }
      // An op with regions defines its results when it ends.
      const int64_t end = op.getNumRegions() ? next++ : begin;
      points_[&op] = {begin, end};
      for (Value result : op.getResults()) {
        addValue(result, end);
      }
    }
  }
}

void TileBuffers::addValue(Value value, int64_t point) {
  if (isTile(value)) {
    valueIndex_[value] = values_.size();
    parent_.push_back(values_.size());
    values_.push_back(value);
    definedAt_[value] = point;
  }
}

unsigned TileBuffers::root(unsigned value) {
  while (parent_[value] != value) {
    parent_[value] = parent_[parent_[value]];
    value = parent_[value];
  }
  return value;
}

void TileBuffers::unite(Value a, Value b) {
  unsigned first = root(valueIndex_.lookup(a));
  unsigned second = root(valueIndex_.lookup(b));
  parent_[std::max(first, second)] = std::min(first, second);
}

void TileBuffers::collectClasses(func::FuncOp function) {
  function.walk([&](Operation *op) {
    if (Value target = overwrittenOperand(op)) {
      if (isTile(target)) {
        unite(op->getResult(0), target);
      }
    } else if (isBufferView(op)) {
      unite(op->getResult(0), op->getOperand(0));
    } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
      for (unsigned i = 0; i < loop.getNumRegionIterArgs(); ++i) {
        if (isTile(loop.getResult(i))) {
          unite(loop.getRegionIterArg(i), loop.getInitArgs()[i]);
          unite(loop.getRegionIterArg(i), loop.getYieldedValues()[i]);
          unite(loop.getRegionIterArg(i), loop.getResult(i));
        }
      }
    } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
      for (unsigned i = 0; i < branch.getNumResults(); ++i) {
        if (isTile(branch.getResult(i))) {
          unite(branch.getResult(i), branch.thenYield().getOperand(i));
          unite(branch.getResult(i), branch.elseYield().getOperand(i));
        }
      }
    }
  });
}

void TileBuffers::buildBuffers() {
  llvm::DenseMap<unsigned, unsigned> bufferOfRoot;
  for (unsigned i = 0; i < values_.size(); ++i) {
    Value value = values_[i];
    auto [entry, isNew] = bufferOfRoot.try_emplace(root(i), buffers_.size());
    if (isNew) {
      buffers_.push_back({{}, definedAt_.lookup(value), definedAt_.lookup(value)});
    }
    bufferIndex_[value] = entry->second;
    Buffer &buffer = buffers_[entry->second];
    buffer.members.push_back(value);
    buffer.begin = std::min(buffer.begin, definedAt_.lookup(value));
    buffer.end = std::max(buffer.end, definedAt_.lookup(value));
    int64_t &lastUse = lastUse_[value];
    for (Operation *user : value.getUsers()) {
      lastUse = std::max(lastUse, points_.lookup(user).first);
      buffer.end = std::max(buffer.end, points_.lookup(user).second);
      // A use inside a loop that the value comes from outside of is a use in every iteration.
      for (Operation *parent = user->getParentOp(); parent && !isa<func::FuncOp>(parent);
           parent = parent->getParentOp()) {
        if (isa<LoopLikeOpInterface>(parent) && !parent->isAncestor(value.getParentRegion()->getParentOp())) {
          buffer.end = std::max(buffer.end, points_.lookup(parent).second);
          lastUse = INT64_MAX;
        }
      }
    }
  }
}

bool TileBuffers::isNeededAfter(Value value, Operation *write) const {
  if (lastUse_.lookup(value) <= points_.lookup(write).first) {
    return false;
  }
  for (Operation *user : value.getUsers()) {
    if (user == write) {
      continue;
    }
    // A loop that holds both and not the value's definition brings the user round again after the write.
    for (Operation *parent = user->getParentOp(); parent && !isa<func::FuncOp>(parent);
         parent = parent->getParentOp()) {
      if (isa<LoopLikeOpInterface>(parent) && parent->isProperAncestor(write) &&
          !parent->isAncestor(value.getParentRegion()->getParentOp())) {
        return true;
      }
    }
    if (points_.lookup(user).first > points_.lookup(write).first && !areExclusive(user, write) &&
        !user->isProperAncestor(write)) {
      return true;
    }
  }
  return false;
}

/// Members of a buffer that are written while another is still needed, each with that one, in program order. Goes
/// through the program once with those that are in use: a long chain of writes has one at a time.
std::vector<std::pair<size_t, size_t>> TileBuffers::overwritten(const Buffer &buffer) const {
  std::vector<std::pair<int64_t, size_t>> begins;
  std::vector<std::pair<int64_t, size_t>> writes;
  for (auto [index, member] : llvm::enumerate(buffer.members)) {
    begins.emplace_back(definedAt_.lookup(member), index);
    Operation *write = member.getDefiningOp();
    if (write && writesResult(write) && !isElementWrite(write)) {
      writes.emplace_back(points_.lookup(write).first, index);
    }
  }
  llvm::sort(begins);
  llvm::sort(writes);
  std::vector<std::pair<size_t, size_t>> found;
  std::vector<size_t> inUse;
  size_t next = 0;
  for (auto [point, written] : writes) {
    for (; next < begins.size() && begins[next].first <= point; ++next) {
      inUse.push_back(begins[next].second);
    }
    llvm::erase_if(inUse, [&, at = point](size_t other) { return lastUse_.lookup(buffer.members[other]) <= at; });
    for (size_t other : inUse) {
      if (other != written && isNeededAfter(buffer.members[other], buffer.members[written].getDefiningOp())) {
        found.emplace_back(written, other);
      }
    }
  }
  llvm::sort(found);
  return found;
}

void TileBuffers::findConflicts() {
  for (auto [index, buffer] : llvm::enumerate(buffers_)) {
    const auto number = static_cast<unsigned>(index);
    Operation *firstOp = buffer.members.front().getDefiningOp();
    for (auto [written, other] : overwritten(buffer)) {
      conflicts_.push_back({buffer.members[written].getDefiningOp(),
                            "`" + nameOf(buffer.members[other], "a tile") +
                                "`, which is used again after its buffer was "
                                "overwritten in place,",
                            number});
    }
    for (Value member : buffer.members) {
      auto first = cast<TileType>(buffer.members.front().getType());
      auto argument = dyn_cast<BlockArgument>(member);
      if (cast<TileType>(member.getType()).getMem() != first.getMem()) {
        conflicts_.push_back({firstOp ? firstOp : member.getParentRegion()->getParentOp(),
                              "a tile that changes its memory from one iteration or branch to the next", number});
        break;
      }
      if (argument && llvm::any_of(argument.getOwner()->getArguments(), [&](BlockArgument sibling) {
            return sibling != argument && isTile(sibling) && bufferOf(sibling) == bufferOf(argument);
          })) {
        conflicts_.push_back(
            {argument.getOwner()->getParentOp(), "a loop that carries one tile under two names", number});
        break;
      }
    }
  }
}

} // namespace placid::pl
