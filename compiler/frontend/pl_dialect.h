// SPDX-License-Identifier: Apache-2.0
// What the evaluator has to know of PL: its modules, the names they export, which decorators make kernels.
// Stateless: any thread.
#pragma once

#include "compiler/evaluator/host.h"

namespace placid::frontend {

class PlDialect final : public py::Dialect {
public:
  std::string_view prefixOf(std::string_view module) const override;
  const std::set<std::string> &exportsOf(std::string_view prefix) const override;
  std::optional<std::string> member(std::string_view path, std::string_view name) const override;
  bool makesKernel(std::string_view path) const override;
  bool keepsFunction(std::string_view path) const override;
  bool makesProgram(std::string_view path) const override;
  unsigned bytesOf(std::string_view path) const override;
};

} // namespace placid::frontend
