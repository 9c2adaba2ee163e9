// SPDX-License-Identifier: Apache-2.0
// What the cores of a group do to one another without a pipe: flags that one raises and the other waits for, and what
// the cube core writes into the memories of the vector lanes. Apart from ops_pipe.cpp, where tiles travel in order.
#include "compiler/interpreter/core.h"
#include "compiler/interpreter/core_pipes.h"
#include "compiler/interpreter/fixpipe.h"

#include <charconv>

namespace placid::interp {

namespace {

constexpr int64_t kFlagsOfALane = 16;

std::string flagOf(Core &core, const Statement &statement, int64_t &flag) {
  if (!statement.operands.empty()) {
    if (std::string wrong = core.scalar(statement.operands[0], flag); !wrong.empty()) {
      return wrong;
    }
  } else {
    flag = -1;
    for (const std::string &word : statement.words) {
      std::from_chars(word.data(), word.data() + word.size(), flag);
    }
  }
  if (core.pipes() == nullptr) {
    return "needs another core, and there is none";
  }
  // A lane has flags of its own, which the cube core tells apart by their numbers.
  const int64_t most = core.isCube() ? kMaxLanes * kFlagsOfALane : kFlagsOfALane;
  if (flag < 0 || flag >= most) {
    return "has no flag " + std::to_string(flag);
  }
  flag += core.isCube() ? 0 : core.identity().subblock * kFlagsOfALane;
  return {};
}

std::string raise(Core &core, const Statement &statement) {
  int64_t flag = 0;
  if (std::string wrong = flagOf(core, statement, flag); !wrong.empty()) {
    return wrong;
  }
  constexpr int64_t kMostRaised = 15; // what the counter of a flag holds
  int64_t &raised = core.pipes()->flag(flag, core.isCube());
  if (raised >= kMostRaised) {
    core.wait();
    return {};
  }
  ++raised;
  core.pipes()->gave();
  return {};
}

std::string await(Core &core, const Statement &statement) {
  int64_t flag = 0;
  if (std::string wrong = flagOf(core, statement, flag); !wrong.empty()) {
    return wrong;
  }
  int64_t &raised = core.pipes()->flag(flag, !core.isCube());
  if (raised == 0) {
    core.wait();
    return {};
  }
  --raised;
  core.pipes()->happened();
  return {};
}

} // namespace

std::string moveToLanes(Core &core, const Statement &statement, const TileValue &from, const TileValue &to) {
  if (core.pipes() == nullptr) {
    return "writes into a vector core, and there is none";
  }
  auto given = statement.attributes.find("accToVecMode");
  const std::string mode = given == statement.attributes.end() ? "single_mode_vec0" : given->second;
  const bool rows = mode.find("split_m") != std::string::npos;
  const bool columns = mode.find("split_n") != std::string::npos;
  const int first = mode.find("vec1") != std::string::npos ? 1 : 0;
  const int lanes = rows || columns ? kMaxLanes : 1;
  constexpr int64_t kColumnsOfALane = 16;
  if ((rows && from.validRows % 2 != 0) || (columns && from.validCols % (2 * kColumnsOfALane) != 0)) {
    return "divides " + std::to_string(rows ? from.validRows : from.validCols) + (rows ? " rows" : " columns") +
           " between two lanes";
  }
  Fixpipe fixpipe;
  if (std::string wrong = fixpipe.read(core, statement, from, to.type.dtype); !wrong.empty()) {
    return wrong;
  }
  const int64_t height = from.validRows / (rows ? 2 : 1);
  const int64_t width = from.validCols / (columns ? 2 : 1);
  if (height > to.rows || width > to.cols) {
    return "puts " + std::to_string(height) + " x " + std::to_string(width) + " into a tile of " +
           std::to_string(to.rows) + " x " + std::to_string(to.cols);
  }
  for (int lane = first; lane < first + lanes; ++lane) {
    Core *target = core.pipes()->core(1 + lane);
    if (target == nullptr) {
      return "writes into a vector lane that is not there";
    }
    for (int64_t r = 0; r < height; ++r) {
      for (int64_t c = 0; c < width; ++c) {
        const int64_t row = r + (rows ? lane * height : 0);
        const int64_t col = c + (columns ? lane * width : 0);
        if (core.isHole(from, row, col)) {
          target->forget(to, r, c); // who reads it is at fault
          continue;
        }
        Number element;
        std::string wrong = core.read(from, row, col, element);
        wrong = wrong.empty() ? target->write(to, r, c, fixpipe.leave(element, col)) : wrong;
        if (!wrong.empty()) {
          return wrong;
        }
      }
    }
  }
  return {};
}

void addCoreOperations(OperationTable &table) {
  table["pto.set_intra_block"] = raise;
  table["pto.wait_intra_block"] = await;
}

} // namespace placid::interp
