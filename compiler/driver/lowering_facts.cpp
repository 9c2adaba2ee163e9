// SPDX-License-Identifier: Apache-2.0
#include "compiler/driver/lowering_facts.h"

#include <algorithm>

namespace placid::compiler {

namespace {

source::ByteRange rangeOf(mlir::LocationAttr loc, const bridge::SourceLookup &lookup) {
  return loc ? bridge::byteLocation(mlir::Location(loc), lookup).range : source::ByteRange{};
}

const char *nameOf(pl::Stationary stationary) {
  switch (stationary) {
  case pl::Stationary::Output:
    return "output";
  case pl::Stationary::Left:
    return "left";
  case pl::Stationary::Right:
    return "right";
  }
  return "output";
}

/// `base + blocks`, as a reader would write it.
Expr moved(const Expr &base, int64_t blocks) {
  if (const auto *number = std::get_if<int64_t>(&base)) {
    return *number + blocks;
  }
  return blocks == 0 ? base : Expr(std::get<std::string>(base) + " + " + std::to_string(blocks));
}

} // namespace

std::vector<TilePlan> tilePlans(const pl::LoweringReport &report, const bridge::SourceLookup &lookup) {
  std::vector<TilePlan> out;
  for (const pl::TileFact &fact : report.tiles) {
    TilePlan plan{.function = fact.function,
                  .result = fact.result,
                  .range = rangeOf(fact.range, lookup),
                  .shape = {fact.m, fact.n, fact.k},
                  .tile = {fact.tile.m, fact.tile.n, fact.tile.k},
                  .stationary = nameOf(fact.tile.stationary)};
    // A matmul in an unrolled loop has one plan.
    bool known = std::any_of(out.begin(), out.end(), [&](const TilePlan &other) {
      return other.function == plan.function && other.range == plan.range && other.shape == plan.shape &&
             other.tile == plan.tile;
    });
    if (!known) {
      out.push_back(std::move(plan));
    }
  }
  return out;
}

std::vector<MemoryUse> memoryUses(const pl::LoweringReport &report) {
  std::vector<MemoryUse> out;
  const target::Target &names = target::get(target::kDefaultArch); // memories are called alike on every chip
  for (const pl::MemoryFact &fact : report.memory) {
    const target::Memory &memory = names.memory(fact.space);
    out.push_back({fact.function, memory.name, memory.hardware, fact.used, fact.capacity});
  }
  return out;
}

void markRefusedStores(std::vector<InspectAccess> &accesses, const std::vector<diag::Diagnostic> &diagnostics) {
  for (const diag::Diagnostic &d : diagnostics) {
    if (d.code != diag::NzL0c.code && d.code != diag::NzStoreExtent.code) {
      continue;
    }
    for (InspectAccess &access : accesses) {
      if (access.op == "store" && access.range == d.at.range && access.rejected.empty()) {
        access.rejected = diag::find(d.code)->slug;
        access.offsets.clear();
        access.sizes.clear();
        access.tile.clear();
      }
    }
  }
}

std::vector<StoreChunks> storeChunks(const pl::LoweringReport &report, const std::vector<InspectAccess> &accesses,
                                     const bridge::SourceLookup &lookup) {
  std::vector<StoreChunks> out;
  for (const InspectAccess &access : accesses) {
    if (access.op != "store" || !access.rejected.empty() || access.sizes.size() != size_t{5} || access.tile.empty()) {
      continue;
    }
    const auto *columns = std::get_if<int64_t>(&access.tile.back());
    const auto *c0 = std::get_if<int64_t>(&access.sizes.back());
    if (!columns || !c0 || *c0 <= 0) {
      continue;
    }
    StoreChunks chunks{.tensor = access.tensor, .range = access.range, .columns = *columns};
    for (const pl::TileFact &fact : report.tiles) {
      if (fact.store && rangeOf(fact.store, lookup) == access.range && fact.n == *columns) {
        chunks.columns = std::min(chunks.columns, fact.tile.n);
      }
    }
    for (int64_t at = 0; at < *columns; at += chunks.columns) {
      std::vector<Expr> offsets = access.offsets;
      offsets[1] = moved(offsets[1], at / *c0);
      std::vector<Expr> partition = access.sizes;
      partition[1] = std::min(chunks.columns, *columns - at) / *c0;
      chunks.offsets.push_back(std::move(offsets));
      chunks.partitions.push_back(std::move(partition));
    }
    out.push_back(std::move(chunks));
  }
  return out;
}

} // namespace placid::compiler
