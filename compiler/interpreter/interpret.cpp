// SPDX-License-Identifier: Apache-2.0
#include "compiler/interpreter/interpret.h"

#include "compiler/interpreter/core.h"

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

} // namespace

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
  const Function *function = nullptr;
  if (options.function.empty() && program.functions.size() == 1) {
    function = &program.functions[0];
  } else {
    function = program.find(options.function);
  }
  if (function == nullptr) {
    return Fault{0, "",
                 options.function.empty()
                     ? "the text has " + std::to_string(program.functions.size()) + " functions: one has to be named"
                     : "the text has no function `" + options.function + "`"};
  }
  std::string arch = program.arch.empty() || program.arch == "a2a3" ? "a3" : program.arch;
  int64_t left = options.maxStatements;
  for (int64_t block = 0; block < options.blocks; ++block) {
    Identity identity{block, options.blocks, 0, 1};
    std::vector<Value> values;
    if (std::optional<Fault> fault = argumentsFor(*function, arguments, identity, values)) {
      return fault;
    }
    Core core(*function, std::move(values), arch, identity);
    for (Core::State state = Core::State::Ready; state != Core::State::Done;) {
      if (stop.stop_requested()) {
        return Fault{0, "", "stopped"};
      }
      if (left <= 0) {
        return Fault{core.current()->line, core.current()->location,
                     "the kernel runs more operations than are allowed"};
      }
      state = core.run(kSlice);
      left -= kSlice;
      if (state == Core::State::Failed) {
        return core.fault();
      }
      if (state == Core::State::Waiting) {
        return Fault{core.current()->line, core.current()->location, "`" + core.current()->op + "` waits for nothing"};
      }
    }
  }
  return std::nullopt;
}

} // namespace placid::interp
