// SPDX-License-Identifier: Apache-2.0
#include "server/store/limited_service.h"

#include "server/settings/project_settings.h"
#include "server/support/crash.h"

#include <optional>
#include <utility>

namespace placid::server {

namespace {

std::optional<CompilingText> blame(LimitedService::Crashes crashes, const source::SourcePtr &text) {
  if (crashes == LimitedService::Crashes::Here) {
    return std::optional<CompilingText>(std::in_place, text->path, text->text);
  }
  return std::nullopt;
}

} // namespace

compiler::CheckResult tooLarge(const std::string &path, uint64_t bytes, uint64_t maxBytes) {
  diag::Diagnostic diagnostic;
  diagnostic.code = diag::FileTooLarge.code;
  diagnostic.at.path = path;
  diagnostic.message = diag::message(diag::FileTooLarge, static_cast<int64_t>(bytes), static_cast<int64_t>(maxBytes));
  compiler::CheckResult result;
  result.diagnostics.push_back(std::move(diagnostic));
  result.counts.errors = 1;
  return result;
}

namespace {

/// What the command line or the client leaves open, the project's settings say.
compiler::Options withSettings(const source::SourceText &text, compiler::Options options) {
  SettingsFinder finder;
  if (const SettingsFinder::Found *found = finder.find(text.path)) {
    applySettings(found->settings, options);
  }
  return options;
}

} // namespace

compiler::Options LimitedService::effective(const source::SourceText &text, const compiler::Options &options) const {
  bool find =
      settings_ == Settings::Find || (settings_ == Settings::FindForAbsolutePaths && text.path.starts_with('/'));
  return find ? withSettings(text, options) : options;
}

compiler::CheckResult LimitedService::check(const source::SourcePtr &text, const compiler::Options &options,
                                            std::stop_token stop) {
  if (fits(text)) {
    std::optional<CompilingText> blamed = blame(crashes_, text);
    return behind_.check(text, effective(*text, options), std::move(stop));
  }
  return tooLarge(text->path, text->text.size(), maxBytes_);
}

compiler::InspectResult LimitedService::inspect(const source::SourcePtr &text, const compiler::Options &options,
                                                std::stop_token stop) {
  if (fits(text)) {
    std::optional<CompilingText> blamed = blame(crashes_, text);
    return behind_.inspect(text, effective(*text, options), std::move(stop));
  }
  compiler::InspectResult result;
  result.check = tooLarge(text->path, text->text.size(), maxBytes_);
  return result;
}

compiler::IrResult LimitedService::ir(const source::SourcePtr &text, const compiler::Options &options,
                                      const compiler::IrRequest &request, std::stop_token stop) {
  if (fits(text)) {
    std::optional<CompilingText> blamed = blame(crashes_, text);
    return behind_.ir(text, effective(*text, options), request, std::move(stop));
  }
  compiler::IrResult result;
  result.check = tooLarge(text->path, text->text.size(), maxBytes_);
  return result;
}

compiler::LowerResult LimitedService::lower(const source::SourcePtr &text, const compiler::Options &options,
                                            std::stop_token stop) {
  if (fits(text)) {
    std::optional<CompilingText> blamed = blame(crashes_, text);
    return behind_.lower(text, effective(*text, options), std::move(stop));
  }
  compiler::LowerResult result;
  result.check = tooLarge(text->path, text->text.size(), maxBytes_);
  return result;
}

index::Index LimitedService::index(const source::SourcePtr &text) {
  if (!fits(text)) {
    index::Index out;
    out.whole = false; // nothing is known of the text
    return out;
  }
  std::optional<CompilingText> blamed = blame(crashes_, text);
  return behind_.index(text);
}

} // namespace placid::server
