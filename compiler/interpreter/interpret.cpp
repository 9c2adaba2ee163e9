// SPDX-License-Identifier: Apache-2.0
#include "compiler/interpreter/interpret.h"

#include "compiler/interpreter/core.h"
#include "compiler/interpreter/core_pipes.h"

#include <algorithm>
#include <deque>
#include <iterator>

namespace placid::interp {

namespace {

/// How the cores of a group take turns. What a kernel computes must not depend on it.
struct Schedule {
  bool reversed = false; ///< The last core of the text, and the last lane, goes first.
  int64_t slice = 0;     ///< Statements in a turn, and between two looks at the stop token.
  bool yields = false;   ///< Whoever gives another core something to go on with lets it go on, as far as it can.
};

constexpr Schedule kSchedules[] = {{false, 4096}, {true, 4096}, {true, 1}, {true, 4096, true}, {false, 4096, true}};

bool isIdentity(const std::string &name) { return name.find("spmd_") != std::string::npos; }

enum class Which : uint8_t { Block, Blocks, Lane };

/// Which identity the argument at `position` of `count` is. A text that does not name them has the block and how many
/// there are together, and the vector lane last.
Which identityOf(const std::string &name, size_t position, size_t count) {
  if (name.find("subblock") != std::string::npos) {
    return Which::Lane;
  }
  if (name.find("block_num") != std::string::npos) {
    return Which::Blocks;
  }
  if (name.find("block_idx") != std::string::npos) {
    return Which::Block;
  }
  if (count % 2 == 1 && position + 1 == count) {
    return Which::Lane;
  }
  return position == 0 ? Which::Block : Which::Blocks;
}

int64_t identityValue(Which which, const Identity &identity) {
  switch (which) {
  case Which::Block:
    return identity.block;
  case Which::Blocks:
    return identity.blocks;
  case Which::Lane:
    return identity.subblock;
  }
  return 0;
}

std::optional<Fault> argumentsFor(const Function &function, const std::vector<ArgumentValue> &given,
                                  const Identity &identity, std::vector<Value> &out) {
  size_t data = dataParameters(function, given.size());
  if (data != given.size()) {
    return Fault{function.line, "",
                 "`" + function.name + "` takes " + std::to_string(data) + " arguments, " +
                     std::to_string(given.size()) + " are given"};
  }
  for (size_t i = 0; i < function.arguments.size(); ++i) {
    const Type &type = function.arguments[i];
    std::string label = "parameter " + function.argumentLabel(i) + " of `" + function.name + "`";
    if (i >= data) {
      const Which which = identityOf(function.argumentLabel(i), i - data, function.arguments.size() - data);
      int64_t value = identityValue(which, identity);
      out.push_back(Value::ofScalar(type.dtype, Number::ofInt(value)));
    } else if (type.kind == Type::Kind::Ptr) {
      if (given[i].buffer == nullptr) {
        return Fault{function.line, "", label + " needs a buffer"};
      }
      out.push_back(Value::ofPtr(type.dtype, given[i].buffer));
    } else if (type.kind == Type::Kind::Scalar) {
      if (given[i].buffer != nullptr) {
        return Fault{function.line, "", label + " is a scalar"};
      }
      Number number = given[i].number;
      number = info(type.dtype).isFloat ? roundTo(type.dtype, Number::ofFloat(number.asDouble())) : number;
      out.push_back(Value::ofScalar(type.dtype, number));
    } else {
      return Fault{function.line, "", label + " has the type `" + type.text + "`, which is not modelled"};
    }
  }
  return std::nullopt;
}

/// The functions that a block names as its peers.
void peersOf(const Block &block, std::vector<std::string> &out) {
  for (const Statement &statement : block.body) {
    auto peer = statement.attributes.find("peer_func");
    if (peer != statement.attributes.end()) {
      out.push_back(peer->second.starts_with("@") ? peer->second.substr(1) : peer->second);
    }
    for (const Block &region : statement.regions) {
      peersOf(region, out);
    }
  }
}

/// Some tile of the group goes to the vector lanes in halves.
bool dividesTilesIn(const Block &block) {
  return std::any_of(block.body.begin(), block.body.end(), [](const Statement &statement) {
    auto split = statement.attributes.find("split");
    return (split != statement.attributes.end() && split->second != "0") ||
           std::any_of(statement.regions.begin(), statement.regions.end(), dividesTilesIn);
  });
}

bool dividesTiles(const std::vector<const Function *> &group) {
  return std::any_of(group.begin(), group.end(),
                     [](const Function *function) { return dividesTilesIn(function->body); });
}

bool asksForLaneIn(const Block &block) {
  return std::any_of(block.body.begin(), block.body.end(), [](const Statement &statement) {
    return statement.op == "pto.get_subblock_idx" ||
           std::any_of(statement.regions.begin(), statement.regions.end(), asksForLaneIn);
  });
}

/// Both vector lanes run the function, each its own part.
bool asksForLane(const Function &function, size_t given) {
  const size_t data = dataParameters(function, given);
  const size_t count = function.arguments.size();
  for (size_t i = data; i < count; ++i) {
    if (identityOf(function.argumentLabel(i), i - data, count - data) == Which::Lane) {
      return function.kind != "cube";
    }
  }
  return function.kind != "cube" && asksForLaneIn(function.body);
}

bool usesFlagsIn(const Block &block) {
  return std::any_of(block.body.begin(), block.body.end(), [](const Statement &statement) {
    return statement.op.ends_with("_intra_block") || statement.attributes.contains("accToVecMode") ||
           std::any_of(statement.regions.begin(), statement.regions.end(), usesFlagsIn);
  });
}

/// The name that both functions of a kernel have in common: they are called after it and their core.
std::string kernelOf(const Function &function) {
  const char *ending = function.kind == "cube" ? "_aic" : "_aiv";
  const bool named = !function.kind.empty() && function.name.ends_with(ending);
  return named ? function.name.substr(0, function.name.size() - 4) : "";
}

/// `function` and what runs with it on the other cores, in the order of the text.
std::vector<const Function *> groupOf(const Program &program, const Function &function) {
  std::vector<std::string> own;
  peersOf(function.body, own);
  std::vector<const Function *> out;
  for (const Function &other : program.functions) {
    std::vector<std::string> peers;
    peersOf(other.body, peers);
    auto names = [](const std::vector<std::string> &list, const std::string &name) {
      return std::find(list.begin(), list.end(), name) != list.end();
    };
    const bool pair = !kernelOf(function).empty() && kernelOf(other) == kernelOf(function);
    if (&other == &function || pair || names(own, other.name) || names(peers, function.name)) {
      out.push_back(&other);
    }
  }
  return out;
}

/// A core group has two vector lanes. One is enough where the text does not divide anything between them, and on A2 and
/// A3 no pipe waits for both.
bool needsLanes(const std::vector<const Function *> &group, const std::string &arch, size_t given) {
  return (group.size() > 1 && (arch != "a5" || dividesTiles(group))) ||
         std::any_of(group.begin(), group.end(), [](const Function *f) { return usesFlagsIn(f->body); }) ||
         std::any_of(group.begin(), group.end(), [&](const Function *f) { return asksForLane(*f, given); });
}

/// Runs the functions of a group in turns until all have ended. Without a peer, that is one core.
std::optional<Fault> runGroup(const std::vector<const Function *> &group, const std::string &arch, Identity identity,
                              const std::vector<ArgumentValue> &arguments, Schedule schedule, int64_t &left,
                              Origins *origins, std::stop_token stop) {
  CorePipes pipes(needsLanes(group, arch, arguments.size()) ? kMaxLanes : 1);
  std::deque<Core> cores;
  for (const Function *function : group) {
    const int copies = function->kind != "cube" ? pipes.lanes() : 1;
    for (int lane = 0; lane < copies; ++lane) {
      Identity own = identity;
      own.subblock = lane;
      own.subblocks = copies;
      std::vector<Value> values;
      if (std::optional<Fault> fault = argumentsFor(*function, arguments, own, values)) {
        return fault;
      }
      cores.emplace_back(*function, std::move(values), arch, own);
      cores.back().join(group.size() > 1 ? &pipes : nullptr);
      cores.back().follow(origins);
    }
  }
  if (group.size() > 1) {
    for (Core &core : cores) {
      pipes.add(core.isCube() ? 0 : 1 + static_cast<int>(core.identity().subblock), &core);
    }
    for (Core &core : cores) {
      core.shareMat(core.isCube() ? nullptr : pipes.core(0));
    }
  }
  std::vector<bool> done(cores.size());
  for (size_t running = cores.size(); running > 0;) {
    const int64_t before = pipes.events();
    bool moved = false;
    const Core *stuck = nullptr;
    for (size_t turn = 0; turn < cores.size(); ++turn) {
      const size_t i = schedule.reversed ? cores.size() - 1 - turn : turn;
      if (done[i]) {
        continue;
      }
      Core &core = cores[i];
      if (stop.stop_requested()) {
        return Fault{0, "", "stopped"};
      }
      if (left <= 0) {
        return Fault{core.current()->line, core.current()->location,
                     "the kernel runs more operations than are allowed"};
      }
      int64_t slice = schedule.slice;
      const Core::State state = core.run(slice, schedule.yields);
      left -= std::max<int64_t>(1, schedule.slice - slice);
      if (state == Core::State::Failed) {
        return core.fault();
      }
      if (state == Core::State::Done) {
        done[i] = true;
        --running;
      }
      moved |= state != Core::State::Waiting;
      stuck = state == Core::State::Waiting && stuck == nullptr ? &core : stuck;
    }
    if (!moved && pipes.events() == before) {
      return Fault{stuck->current()->line, stuck->current()->location,
                   "`" + stuck->current()->op + "` waits for nothing"};
    }
  }
  std::string rest = pipes.leftOver();
  return rest.empty() ? std::nullopt : std::optional(Fault{group[0]->line, "", rest});
}

using Bytes = std::vector<std::pair<Memory *, Memory>>;

/// Each buffer once, as it is now.
Bytes bytesOf(const std::vector<ArgumentValue> &arguments) {
  Bytes out;
  for (const ArgumentValue &argument : arguments) {
    const bool known =
        std::any_of(out.begin(), out.end(), [&](const auto &one) { return one.first == argument.buffer; });
    if (argument.buffer != nullptr && !known) {
      out.emplace_back(argument.buffer, *argument.buffer);
    }
  }
  return out;
}

} // namespace

const Function *entryOf(const Program &program, const std::string &name) {
  if (const Function *found = name.empty() ? nullptr : program.find(name)) {
    return found;
  }
  const bool one = !program.functions.empty() &&
                   groupOf(program, program.functions[0]).size() == program.functions.size() &&
                   (name.empty() || program.functions.size() > 1);
  return one ? &program.functions[0] : nullptr;
}

size_t dataParameters(const Function &function, size_t given) {
  size_t data = function.arguments.size();
  while (data > 0 && isIdentity(function.argumentLabel(data - 1))) {
    --data;
  }
  if (data == function.arguments.size()) {
    // placid's own text names them by position; they are all i32.
    while (data > given && function.arguments[data - 1].kind == Type::Kind::Scalar &&
           function.arguments[data - 1].dtype == DType::I32) {
      --data;
    }
  }
  return data;
}

std::optional<Fault> runProgram(const Program &program, const RunOptions &options,
                                const std::vector<ArgumentValue> &arguments, std::stop_token stop) {
  const Function *function = entryOf(program, options.function);
  if (function == nullptr) {
    return Fault{0, "",
                 options.function.empty()
                     ? "the text has " + std::to_string(program.functions.size()) + " functions: one has to be named"
                     : "the text has no function `" + options.function + "`"};
  }
  for (const ArgumentValue &argument : arguments) {
    if (argument.buffer != nullptr) {
      if (options.origins != nullptr) {
        options.origins->give(argument.buffer);
      }
      argument.buffer->follow(options.origins);
    }
  }
  std::string arch = program.arch.empty() || program.arch == "a2a3" ? "a3" : program.arch;
  const std::vector<const Function *> group = groupOf(program, *function);
  // One core has one order. Of several, each order is tried: the first result stands when all agree.
  const bool several = group.size() > 1 || needsLanes(group, arch, arguments.size());
  const Bytes before = several ? bytesOf(arguments) : Bytes();
  Bytes first;
  for (const Schedule &schedule : kSchedules) {
    int64_t left = options.maxStatements;
    for (int64_t block = 0; block < options.blocks; ++block) {
      if (std::optional<Fault> fault =
              runGroup(group, arch, {block, options.blocks, 0, 1}, arguments, schedule, left, options.origins, stop)) {
        return fault;
      }
    }
    if (!several) {
      break;
    }
    const Bytes after = bytesOf(arguments);
    first = first.empty() ? after : first;
    for (size_t i = 0; i < after.size(); ++i) {
      if (after[i].second.bytes() != first[i].second.bytes()) {
        return Fault{group[0]->line, "",
                     "what it leaves in " + after[i].first->name() + " depends on which core goes first"};
      }
      *after[i].first = &schedule == &std::end(kSchedules)[-1] ? first[i].second : before[i].second;
    }
  }
  return std::nullopt;
}

} // namespace placid::interp
