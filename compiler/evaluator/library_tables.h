// SPDX-License-Identifier: Apache-2.0
// The library modules that have files of their own. Each gives the value of a dotted name, or Raised for a name it does
// not have. Private to compiler/evaluator.
#pragma once

#include "compiler/evaluator/interpreter.h"

namespace placid::py::library {

Value mathMember(Interpreter &run, std::string_view path);
Value collectionsMember(Interpreter &run, std::string_view path);
Value pathMember(Interpreter &run, std::string_view path);
Value argparseMember(Interpreter &run, std::string_view path);

/// A class of the library with methods and properties; made once.
struct Member {
  std::string_view name;
  BuiltinFunction function; ///< The object is its first positional argument.
  bool property = false;
};
ClassObject *makeClass(Interpreter &run, std::string_view name, const std::vector<Member> &members);

} // namespace placid::py::library
