// SPDX-License-Identifier: Apache-2.0
#include "compiler/interpreter/interpret.h"

#include "compiler/interpreter/core.h"
#include "compiler/interpreter/core_pipes.h"

#include <algorithm>
#include <deque>

namespace placid::interp {

namespace {

/// Statements between two looks at the stop token.
constexpr int64_t kSlice = 4096;

bool isIdentity(const std::string &name) { return name.find("spmd_") != std::string::npos; }

int64_t identityValue(const std::string &name, size_t position, const Identity &identity) {
  if (name.find("subblock") != std::string::npos) {
    return identity.subblock;
  }
  if (name.find("block_num") != std::string::npos) {
    return identity.blocks;
  }
  if (name.find("block_idx") != std::string::npos) {
    return identity.block;
  }
  const int64_t byPosition[] = {identity.block, identity.blocks, identity.subblock};
  return byPosition[std::min<size_t>(position, 2)];
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
      int64_t value = identityValue(function.argumentLabel(i), i - data, identity);
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
    if (&other == &function || names(own, other.name) || names(peers, function.name)) {
      out.push_back(&other);
    }
  }
  return out;
}

/// Runs the functions of a group in turns until all have ended. Without a peer, that is one core.
std::optional<Fault> runGroup(const std::vector<const Function *> &group, const std::string &arch, Identity identity,
                              const std::vector<ArgumentValue> &arguments, int64_t &left, std::stop_token stop) {
  // A core group has two vector lanes; on A5 one is enough where the text does not divide tiles between them.
  const bool lanes = group.size() > 1 && (arch != "a5" || dividesTiles(group));
  CorePipes pipes(lanes ? kMaxLanes : 1);
  std::deque<Core> cores;
  for (const Function *function : group) {
    const int copies = group.size() > 1 && function->kind != "cube" ? pipes.lanes() : 1;
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
    }
  }
  std::vector<bool> done(cores.size());
  for (size_t running = cores.size(); running > 0;) {
    const int64_t before = pipes.events();
    bool moved = false;
    const Core *stuck = nullptr;
    for (size_t i = 0; i < cores.size(); ++i) {
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
      const Core::State state = core.run(kSlice);
      left -= kSlice;
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
  std::string arch = program.arch.empty() || program.arch == "a2a3" ? "a3" : program.arch;
  const std::vector<const Function *> group = groupOf(program, *function);
  int64_t left = options.maxStatements;
  for (int64_t block = 0; block < options.blocks; ++block) {
    if (std::optional<Fault> fault = runGroup(group, arch, {block, options.blocks, 0, 1}, arguments, left, stop)) {
      return fault;
    }
  }
  return std::nullopt;
}

} // namespace placid::interp
