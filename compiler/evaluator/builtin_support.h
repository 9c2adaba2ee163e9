// SPDX-License-Identifier: Apache-2.0
// Shared by the tables of built-in functions, methods and libraries: arguments by position or name, sorting. Private to
// compiler/evaluator.
#pragma once

#include "compiler/evaluator/interpreter.h"

#include <functional>

namespace placid::py::support {

/// The argument at `index`, or of that name; Raised when it is not given. `index` SIZE_MAX: by name alone.
Value argument(const Arguments &args, size_t index, std::string_view name);
size_t count(const Arguments &args);
/// A TypeError where `value` is certainly no number, else unknown.
Value noNumber(Interpreter &run, Value value, const std::string &what, const Arguments &args);
/// A new list; `key=` and `reverse=` are read from `args`.
Value sorted(Interpreter &run, std::vector<Value> items, Arguments &args);
/// What dict() and dict.update() do with their arguments; gives `dict`.
Value updateDict(Interpreter &run, Value dict, Arguments &args);

void addFunctions(Interpreter &run, const std::function<void(std::string_view, Value)> &add);
void addClasses(const std::function<void(std::string_view, BuiltinFunction)> &add);
void addNumbers(Interpreter &run, const std::function<void(std::string_view, Value)> &add);
void addNumberClasses(const std::function<void(std::string_view, BuiltinFunction)> &add);
void addReflection(Interpreter &run, const std::function<void(std::string_view, Value)> &add);

} // namespace placid::py::support
