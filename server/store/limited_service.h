// SPDX-License-Identifier: Apache-2.0
// A CompilerService in front of another one: texts beyond the size limit get their diagnostic here and never reach the
// compiler, the project's settings fill what the options leave open, and the text at work is noted for the crash
// handler. One place for all, so that the editor and the command line agree. Same thread rules as the service behind.
#pragma once

#include "compiler/driver/compiler_service.h"

#include <cstdint>

namespace placid::server {

/// In bytes of UTF-8.
constexpr uint64_t kMaxSourceBytes = uint64_t{16} << 20;

class LimitedService final : public compiler::CompilerService {
public:
  /// Whether the compiler behind would bring down this process or another one.
  enum class Crashes : uint8_t { Here, Elsewhere };
  /// Who looks for the project's settings: a path that is relative means something only in its client's folder.
  enum class Settings : uint8_t { Find, FindForAbsolutePaths, Given };
  explicit LimitedService(compiler::CompilerService &behind, Crashes crashes = Crashes::Here,
                          Settings settings = Settings::Find, uint64_t maxBytes = kMaxSourceBytes)
      : behind_(behind), crashes_(crashes), settings_(settings), maxBytes_(maxBytes) {}

  compiler::CheckResult check(const source::SourcePtr &text, const compiler::Options &options,
                              std::stop_token stop) override;
  compiler::InspectResult inspect(const source::SourcePtr &text, const compiler::Options &options,
                                  std::stop_token stop) override;
  compiler::IrResult ir(const source::SourcePtr &text, const compiler::Options &options,
                        const compiler::IrRequest &request, std::stop_token stop) override;
  compiler::LowerResult lower(const source::SourcePtr &text, const compiler::Options &options,
                              std::stop_token stop) override;
  index::Index index(const source::SourcePtr &text) override;
  std::vector<index::OpInfo> ops() const override { return behind_.ops(); }
  std::vector<std::string> passNames() const override { return behind_.passNames(); }
  compiler::Counters counters() const override { return behind_.counters(); }

private:
  bool fits(const source::SourcePtr &text) const { return text->text.size() <= maxBytes_; }

  compiler::CompilerService &behind_;
  compiler::Options effective(const source::SourceText &text, const compiler::Options &options) const;

  Crashes crashes_;
  Settings settings_;
  uint64_t maxBytes_;
};

/// What a file of `bytes` bytes at `path` gets instead of a check.
compiler::CheckResult tooLarge(const std::string &path, uint64_t bytes, uint64_t maxBytes = kMaxSourceBytes);

} // namespace placid::server
