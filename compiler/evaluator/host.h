// SPDX-License-Identifier: Apache-2.0
// What the evaluator asks of its surroundings: parsed modules by path, and what a few PL names are. Interfaces, so that
// the evaluator knows neither files nor PL. Called on the thread that evaluates.
#pragma once

#include "compiler/syntax/ast.h"

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace placid::py {

class ModuleSource {
public:
  virtual ~ModuleSource() = default;
  /// Null when there is no such file. The same tree for the same text, as far as possible.
  virtual std::shared_ptr<const syntax::Module> load(const std::string &path) = 0;
  virtual bool exists(const std::string &path) = 0;
  /// False when nothing can be found at all, so that "not found" says nothing.
  virtual bool available() const = 0;
};

class Dialect {
public:
  virtual ~Dialect() = default;
  /// The prefix ("pl") that a Python module's names get; empty for a module that is not PL.
  virtual std::string_view prefixOf(std::string_view module) const = 0;
  /// What `from <prefix's module> import *` binds.
  virtual const std::set<std::string> &exportsOf(std::string_view prefix) const = 0;
  /// `name` of `path`, when it is not just `path.name`.
  virtual std::optional<std::string> member(std::string_view path, std::string_view name) const = 0;
  /// True when a function under this decorator is a kernel, and a class a program.
  virtual bool makesKernel(std::string_view path) const = 0;
  /// A decorator that leaves the function callable as it is, for whoever reads kernels.
  virtual bool keepsFunction(std::string_view) const { return false; }
  virtual bool makesProgram(std::string_view path) const = 0;
  /// Bytes of one element of a dtype; 0 for what is none or has less.
  virtual unsigned bytesOf(std::string_view path) const = 0;
};

/// Where modules are looked up.
struct SearchPath {
  std::string entryFolder;        ///< The entry file's own; "" is the working folder.
  std::vector<std::string> roots; ///< After it, in order.
  std::string workingFolder;      ///< Absolute, or empty when not known.
};

} // namespace placid::py
