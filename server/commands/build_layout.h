// SPDX-License-Identifier: Apache-2.0
// How the NZ tensors of a kernel lie and who reads which part of them, for whoever follows a build and draws it. Apart
// from the build because it asks the compiler a second question. The command's thread.
#pragma once

#include "server/commands/command.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>

namespace placid::server {

class BuildLayout {
public:
  /// `text` null: nobody draws it, and accesses are not looked for.
  BuildLayout(const CommandContext &context, const compiler::Options &options, source::SourcePtr text)
      : context_(context), options_(options), text_(std::move(text)) {}

  /// Of each its name, type, shape, and the fractals that it became; and its accesses as `inspect --format json` has
  /// them.
  nlohmann::ordered_json nzArguments(const compiler::LoweredKernel &kernel);

private:
  const CommandContext &context_;
  const compiler::Options &options_;
  source::SourcePtr text_;
  std::optional<compiler::InspectResult> report_; ///< Of the file, once a kernel has such a tensor.
};

} // namespace placid::server
