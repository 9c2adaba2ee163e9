// SPDX-License-Identifier: Apache-2.0
// Runs a kernel given as PTO IR text on buffers of bytes: the reference that says what the text means. It reads only
// the text, whoever printed it, and shares no addressing with the compiler. Deterministic; one core after the other, a
// group of cube and vector function in turns, in several orders that must agree. Total: whatever is wrong is a Fault
// with a line of the text. One thread a call.
#pragma once

#include "compiler/interpreter/memory.h"
#include "compiler/interpreter/program.h"

#include <stop_token>

namespace placid::interp {

/// What stands behind one parameter of the function, in order.
struct ArgumentValue {
  Memory *buffer = nullptr; ///< Of a pointer parameter; its bytes are as the device has them.
  Number number;            ///< Of a scalar parameter.
};

struct RunOptions {
  std::string function; ///< See entryOf.
  int64_t blocks = 1;   ///< The function runs once for every block number.
  int64_t maxStatements = int64_t{500} * 1000 * 1000;
  Origins *origins = nullptr; ///< Told what happens to the buffers and the memories of the cores.
};

/// Parameters that carry the identity of a core (block number, number of blocks, lane) need no argument: by their
/// names, or by being `i32` behind all given ones.
std::optional<Fault> runProgram(const Program &program, const RunOptions &options,
                                const std::vector<ArgumentValue> &arguments, std::stop_token stop);

/// The function that `name` means; with the functions it names as its peers it makes one kernel. A text whose functions
/// are one kernel needs no name, and takes any. Null when the name does not say which.
const Function *entryOf(const Program &program, const std::string &name);

/// Of the parameters of `function`, how many carry data.
size_t dataParameters(const Function &function, size_t given);

} // namespace placid::interp
