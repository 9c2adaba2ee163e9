// SPDX-License-Identifier: Apache-2.0
#include "server/render/check_formats.h"

#include "compiler/support/sha256.h"
#include "server/support/markup.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

namespace placid::server {

namespace {

using Ordered = nlohmann::ordered_json;

/// What GitHub takes of one run; the worst come first, and what is left out is said.
constexpr size_t kMaxSarifResults = 25000;
constexpr const char *kRoot = "SRCROOT";

std::string_view slugOf(diag::Code code) {
  const diag::CatalogRow *row = diag::find(code);
  return row ? row->slug : "";
}

std::string_view sarifLevel(diag::Severity severity) {
  switch (severity) {
  case diag::Severity::Error:
    return "error";
  case diag::Severity::Warning:
    return "warning";
  case diag::Severity::Information:
  case diag::Severity::Hint:
    return "note";
  }
  return "none";
}

source::Range rangeOf(const diag::Location &at, const TextLookup &lookup) {
  source::SourcePtr text = lookup(at.path);
  return text ? text->range(at.range) : source::Range{};
}

/// Percent-encoded path; relative ones hang on the root.
std::string uriOf(const std::string &path) {
  std::string out;
  for (char c : path) {
    auto byte = static_cast<unsigned char>(c);
    bool plain = (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z') ||
                 c == '/' || c == '.' || c == '-' || c == '_' || c == '~';
    if (plain) {
      out += c;
    } else {
      out += '%';
      out += "0123456789ABCDEF"[byte >> 4];
      out += "0123456789ABCDEF"[byte & 15];
    }
  }
  return path.starts_with('/') ? "file://" + out : out;
}

Ordered artifact(const std::string &path) {
  Ordered out = {{"uri", uriOf(path)}};
  if (!path.starts_with('/')) {
    out["uriBaseId"] = kRoot;
  }
  return out;
}

Ordered region(const source::Range &range) {
  return {{"startLine", range.start.line + 1},
          {"startColumn", range.start.character + 1},
          {"endLine", range.end.line + 1},
          {"endColumn", range.end.character + 1}};
}

Ordered physical(const diag::Location &at, const TextLookup &lookup) {
  return {{"artifactLocation", artifact(at.path)}, {"region", region(rangeOf(at, lookup))}};
}

Ordered fixJson(const diag::Fix &fix, const TextLookup &lookup) {
  std::map<std::string, Ordered> byFile;
  for (const diag::Edit &edit : fix.edits) {
    Ordered &replacements = byFile[edit.at.path];
    replacements.push_back(
        {{"deletedRegion", region(rangeOf(edit.at, lookup))}, {"insertedContent", {{"text", edit.newText}}}});
  }
  Ordered changes = Ordered::array();
  for (auto &[path, replacements] : byFile) {
    changes.push_back({{"artifactLocation", artifact(path)}, {"replacements", std::move(replacements)}});
  }
  return {{"description", {{"text", fix.title}}}, {"artifactChanges", std::move(changes)}};
}

/// The same for the same fault on the same line of the same kernel, wherever the line stands.
std::string fingerprint(const diag::Diagnostic &diagnostic, const TextLookup &lookup) {
  source::SourcePtr text = lookup(diagnostic.at.path);
  std::string line;
  if (text) {
    uint32_t number = text->lines.lineColumn(diagnostic.at.range.begin).line;
    for (char c : text->lines.line(text->text, number)) {
      if (c != ' ' && c != '\t') {
        line += c;
      }
    }
  }
  return support::sha256Hex(diag::codeName(diagnostic.code) + "\n" + diagnostic.kernel + "\n" + line).substr(0, 32);
}

std::string dump(const Ordered &value) { return value.dump(2, ' ', false, Ordered::error_handler_t::replace) + "\n"; }

std::string escapeGithub(std::string_view text, bool property) {
  std::string out;
  for (char c : text) {
    switch (c) {
    case '%':
      out += "%25";
      break;
    case '\r':
      out += "%0D";
      break;
    case '\n':
      out += "%0A";
      break;
    case ':':
      out += property ? "%3A" : ":";
      break;
    case ',':
      out += property ? "%2C" : ",";
      break;
    default:
      out += c;
    }
  }
  return out;
}

/// Those that are shown, in their order or, when there are too many, the worst first; `leftOut` is the number of the
/// rest.
std::vector<const diag::Diagnostic *> sarifSelection(const std::vector<diag::Diagnostic> &all, size_t &leftOut) {
  std::vector<std::pair<diag::Severity, size_t>> order;
  for (size_t i = 0; i < all.size(); ++i) {
    order.emplace_back(all[i].severity, i);
  }
  leftOut = all.size() - std::min(all.size(), kMaxSarifResults);
  if (leftOut > 0) {
    std::sort(order.begin(), order.end());
    order.resize(kMaxSarifResults);
  }
  std::vector<const diag::Diagnostic *> out;
  for (const auto &[severity, i] : order) {
    out.push_back(&all[i]);
  }
  return out;
}

Ordered sarifRule(diag::Code code) {
  Ordered rule = {{"id", diag::codeName(code)}};
  if (const diag::CatalogRow *row = diag::find(code)) {
    rule["name"] = row->slug;
    rule["shortDescription"] = {{"text", row->slug}};
    rule["defaultConfiguration"] = {{"level", sarifLevel(row->severity)}};
  }
  return rule;
}

Ordered sarifResult(const diag::Diagnostic &diagnostic, size_t rule, const TextLookup &lookup) {
  Ordered location = {{"physicalLocation", physical(diagnostic.at, lookup)}};
  if (!diagnostic.kernel.empty()) {
    location["logicalLocations"] = {{{"fullyQualifiedName", diagnostic.kernel}, {"kind", "function"}}};
  }
  Ordered result = {{"ruleId", diag::codeName(diagnostic.code)},
                    {"ruleIndex", rule},
                    {"level", sarifLevel(diagnostic.severity)},
                    {"message", {{"text", diagnostic.message}}}};
  result["locations"] = Ordered::array({std::move(location)});
  Ordered related = Ordered::array();
  for (const diag::Related &one : diagnostic.related) {
    related.push_back(
        {{"id", related.size()}, {"physicalLocation", physical(one.at, lookup)}, {"message", {{"text", one.message}}}});
  }
  if (!related.empty()) {
    result["relatedLocations"] = std::move(related);
  }
  Ordered fixes = Ordered::array();
  for (const diag::Fix &fix : diagnostic.fixes) {
    if (!fix.edits.empty()) {
      fixes.push_back(fixJson(fix, lookup));
    }
  }
  if (!fixes.empty()) {
    result["fixes"] = std::move(fixes);
  }
  result["partialFingerprints"] = {{"placid/v1", fingerprint(diagnostic, lookup)}};
  return result;
}

} // namespace

std::string checkSarif(const CheckReport &report) {
  size_t leftOut = 0;
  std::vector<const diag::Diagnostic *> shown = sarifSelection(report.diagnostics, leftOut);
  bool internal = false;
  std::map<diag::Code, size_t> ruleIndex;
  for (const diag::Diagnostic *diagnostic : shown) {
    ruleIndex.emplace(diagnostic->code, 0);
    internal |= diagnostic->code == diag::InternalError.code;
  }
  Ordered rules = Ordered::array();
  for (auto &[code, index] : ruleIndex) {
    index = rules.size();
    rules.push_back(sarifRule(code));
  }
  Ordered results = Ordered::array();
  for (const diag::Diagnostic *diagnostic : shown) {
    results.push_back(sarifResult(*diagnostic, ruleIndex[diagnostic->code], report.lookup));
  }
  Ordered notifications = Ordered::array();
  if (leftOut > 0) {
    std::string text = std::to_string(leftOut) + " results of the lowest severity are left out";
    notifications.push_back({{"level", "warning"}, {"message", {{"text", text}}}});
  }
  if (!report.fault.empty()) {
    notifications.push_back({{"level", "error"}, {"message", {{"text", report.fault}}}});
  }
  Ordered invocation = {{"executionSuccessful", !internal && report.fault.empty()}};
  if (!notifications.empty()) {
    invocation["toolExecutionNotifications"] = std::move(notifications);
  }
  Ordered driver = {{"name", "placid"}, {"semanticVersion", report.version}, {"rules", std::move(rules)}};
  Ordered run;
  run["tool"]["driver"] = std::move(driver);
  run["columnKind"] = "utf16CodeUnits";
  run["originalUriBaseIds"][kRoot] = {{"description", {{"text", "the folder that placid was called in"}}}};
  run["invocations"] = Ordered::array({std::move(invocation)});
  run["results"] = std::move(results);
  Ordered log;
  log["$schema"] = "https://json.schemastore.org/sarif-2.1.0.json";
  log["version"] = "2.1.0";
  log["runs"] = Ordered::array({std::move(run)});
  return dump(log);
}

std::string checkGithub(const CheckReport &report) {
  // A step shows few annotations: the worst come first, each kind in source order.
  std::string out = report.fault.empty() ? "" : "::error title=placid::" + escapeGithub(report.fault, false) + "\n";
  for (diag::Severity severity :
       {diag::Severity::Error, diag::Severity::Warning, diag::Severity::Information, diag::Severity::Hint}) {
    for (const diag::Diagnostic &diagnostic : report.diagnostics) {
      if (diagnostic.severity != severity) {
        continue;
      }
      source::Range range = rangeOf(diagnostic.at, report.lookup);
      std::string_view level = sarifLevel(severity) == "note" ? "notice" : sarifLevel(severity);
      out += "::" + std::string(level) + " file=" + escapeGithub(diagnostic.at.path, true) +
             ",line=" + std::to_string(range.start.line + 1);
      if (range.start.line == range.end.line) {
        out += ",col=" + std::to_string(range.start.character + 1) +
               ",endColumn=" + std::to_string(range.end.character + 1);
      } else {
        out += ",endLine=" + std::to_string(range.end.line + 1);
      }
      std::string title = diag::codeName(diagnostic.code) + " " + std::string(slugOf(diagnostic.code));
      out += ",title=" + escapeGithub(title, true) + "::" + escapeGithub(diagnostic.message, false) + "\n";
    }
  }
  return out + std::to_string(report.summary.errors) + " errors, " + std::to_string(report.summary.warnings) +
         " warnings in " + std::to_string(report.summary.files) + " files, " + std::to_string(report.summary.kernels) +
         " kernels\n";
}

std::string checkJunit(const CheckReport &report) {
  std::map<std::string, std::vector<const diag::Diagnostic *>> byFile;
  for (const std::string &file : report.files) {
    byFile[file];
  }
  for (const diag::Diagnostic &diagnostic : report.diagnostics) {
    byFile[diagnostic.at.path].push_back(&diagnostic);
  }
  std::string body;
  size_t failures = 0;
  size_t errors = 0;
  if (!report.fault.empty()) {
    ++errors;
    body = "  <testsuite name=\"placid\" tests=\"1\" failures=\"0\" errors=\"1\">\n    <testcase classname=\"placid\" "
           "name=\"run\">\n      <error message=\"" +
           escapeMarkup(report.fault) + "\"/>\n    </testcase>\n  </testsuite>\n";
  }
  for (const auto &[file, list] : byFile) {
    std::string cases;
    size_t failed = 0;
    size_t broken = 0;
    size_t count = 0;
    for (const diag::Diagnostic *diagnostic : list) {
      if (diagnostic->severity != diag::Severity::Error) {
        continue;
      }
      bool internal = diagnostic->code == diag::InternalError.code;
      ++(internal ? broken : failed);
      ++count;
      source::Range range = rangeOf(diagnostic->at, report.lookup);
      std::string where =
          file + ":" + std::to_string(range.start.line + 1) + ":" + std::to_string(range.start.character + 1) + ": ";
      std::string tag = internal ? "error" : "failure";
      std::string name = (diagnostic->kernel.empty() ? "module" : diagnostic->kernel) + " line " +
                         std::to_string(range.start.line + 1);
      cases += "    <testcase classname=\"" + escapeMarkup(file) + "\" name=\"" + escapeMarkup(name) + "\">\n      <" +
               tag + " type=\"" + diag::codeName(diagnostic->code) + "\" message=\"" +
               escapeMarkup(diagnostic->message) + "\">" + escapeMarkup(where + diagnostic->message) + "</" + tag +
               ">\n    </testcase>\n";
    }
    if (count == 0) {
      count = 1;
      cases = "    <testcase classname=\"" + escapeMarkup(file) + "\" name=\"check\"/>\n";
    }
    failures += failed;
    errors += broken;
    body += "  <testsuite name=\"" + escapeMarkup(file) + "\" tests=\"" + std::to_string(count) + "\" failures=\"" +
            std::to_string(failed) + "\" errors=\"" + std::to_string(broken) + "\">\n" + cases + "  </testsuite>\n";
  }
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"placid\" failures=\"" +
         std::to_string(failures) + "\" errors=\"" + std::to_string(errors) + "\">\n" + body + "</testsuites>\n";
}

} // namespace placid::server
