// SPDX-License-Identifier: Apache-2.0
#include "protocol/lsp/codec.h"

#include "protocol/jsonrpc/message.h"
#include "protocol/lsp/features_codec.h"
#include "protocol/lsp/uri.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <initializer_list>
#include <limits>

namespace placid::lsp {

namespace {

/// The value at a chain of member names, or null: for what a client may leave out or shape as it likes.
const Json *at(const Json &value, std::initializer_list<std::string_view> names) {
  const Json *found = &value;
  for (std::string_view name : names) {
    found = member(*found, name);
    if (!found) {
      return nullptr;
    }
  }
  return found;
}

bool flag(const Json &value, std::initializer_list<std::string_view> names) {
  const Json *found = at(value, names);
  return found && found->is_boolean() && found->get<bool>();
}

bool decodeUri(const Json &value, std::string &uri, const Path &path) {
  Members members(value, path);
  return members.isObject() && members.need("uri", uri);
}

/// `{textDocument: {uri}}`, where every text document request begins.
bool decodeTextDocument(const Json &value, std::string &uri, const Path &path) {
  const Json *document = member(value, "textDocument");
  if (!isObject(value)) {
    return path.fail("expected an object");
  }
  Path field = path.field("textDocument");
  return document ? decodeUri(*document, uri, field) : field.fail("is missing");
}

/// Some clients say "to the end" with the largest number that they have: it counts as the largest of the protocol.
bool decodeCoordinate(const Json &value, std::string_view name, uint32_t &out, const Path &path) {
  const Json *found = member(value, name);
  constexpr uint32_t kMost = std::numeric_limits<uint32_t>::max();
  if (found && found->is_number() && found->get<double>() > kMost) {
    out = kMost;
    return true;
  }
  return Members(value, path).need(name, out);
}

/// What languages without a literal for it make of an empty object.
bool isEmptyArray(const Json &value) { return value.is_array() && value.empty(); }

/// The URIs of a list of folders; whatever is no folder is passed over.
std::vector<std::string> folderUris(const Json *folders) {
  std::vector<std::string> out;
  if (folders && folders->is_array()) {
    for (const Json &folder : *folders) {
      const Json *uri = member(folder, "uri");
      if (uri && uri->is_string()) {
        out.push_back(uri->get<std::string>());
      }
    }
  }
  return out;
}

/// A string holds a Python literal as it is; other values become one.
std::string pythonLiteral(const Json &value) {
  if (value.is_string()) {
    return value.get<std::string>();
  }
  if (value.is_boolean()) {
    return value.get<bool>() ? "True" : "False";
  }
  return value.is_null() ? "None" : value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace

bool decode(const Json &value, Position &out, const Path &path) {
  Members members(value, path);
  return members.isObject() && decodeCoordinate(value, "line", out.line, path) &&
         decodeCoordinate(value, "character", out.character, path);
}

bool decode(const Json &value, Range &out, const Path &path) {
  Members members(value, path);
  return members.isObject() && members.need("start", out.start) && members.need("end", out.end);
}

bool decode(const Json &value, ContentChange &out, const Path &path) {
  Members members(value, path);
  return members.isObject() && members.take("range", out.range) && members.need("text", out.text);
}

bool decode(const Json &value, SessionOptions &out, const Path &path) {
  if (isEmptyArray(value)) {
    return true;
  }
  Members members(value, path);
  if (!members.isObject() || !members.take("arch", out.arch) ||
      !members.take("workspaceDiagnostics", out.workspaceDiagnostics)) {
    return false;
  }
  const Json *defines = member(value, "defines");
  if (!defines || defines->is_null() || isEmptyArray(*defines)) {
    return true;
  }
  Path field = path.field("defines");
  if (!defines->is_object()) {
    return field.fail("expected an object");
  }
  for (const auto &[name, literal] : defines->items()) {
    out.defines[name] = pythonLiteral(literal);
  }
  return true;
}

bool decode(const Json &value, InitializeParams &out, const Path &path) {
  Members members(value, path);
  if (!members.isObject() || !members.take("processId", out.processId) ||
      !members.take("initializationOptions", out.options)) {
    return false;
  }
  out.folders = folderUris(member(value, "workspaceFolders"));
  if (const Json *root = member(value, "rootUri"); out.folders.empty() && root && root->is_string()) {
    out.folders.push_back(root->get<std::string>());
  }
  if (const Json *root = member(value, "rootPath"); out.folders.empty() && root && root->is_string()) {
    std::string given = root->get<std::string>(); // of clients from before there were URIs
    if (given.starts_with('/')) {
      out.folders.push_back(fileUri(given));
    }
  }
  const Json *capabilities = member(value, "capabilities");
  if (!capabilities) {
    return true;
  }
  ClientCapabilities &can = out.capabilities;
  const Json *encodings = at(*capabilities, {"general", "positionEncodings"});
  can.offersPositionEncodings = encodings && encodings->is_array() &&
                                std::find(encodings->begin(), encodings->end(), "utf-16") != encodings->end();
  can.relatedInformation = flag(*capabilities, {"textDocument", "publishDiagnostics", "relatedInformation"});
  can.codeDescription = flag(*capabilities, {"textDocument", "publishDiagnostics", "codeDescriptionSupport"});
  for (const char *how : {"publishDiagnostics", "diagnostic"}) {
    const Json *tags = at(*capabilities, {"textDocument", how, "tagSupport"});
    can.diagnosticTags |= tags && (tags->is_object() || (tags->is_boolean() && tags->get<bool>()));
  }
  can.registersWatchers = flag(*capabilities, {"workspace", "didChangeWatchedFiles", "dynamicRegistration"});
  can.refreshesDiagnostics = flag(*capabilities, {"workspace", "diagnostics", "refreshSupport"});
  can.refreshesHints = flag(*capabilities, {"workspace", "inlayHint", "refreshSupport"});
  can.refreshesLenses = flag(*capabilities, {"workspace", "codeLens", "refreshSupport"});
  can.showsProgress = flag(*capabilities, {"window", "workDoneProgress"});
  const Json *pull = at(*capabilities, {"textDocument", "diagnostic"});
  can.pullsDiagnostics = pull && pull->is_object();
  if (const Json *formats = at(*capabilities, {"textDocument", "hover", "contentFormat"});
      formats && formats->is_array()) {
    for (const Json &format : *formats) {
      can.hoverMarkdown |= format.is_string() && format == "markdown";
    }
  }
  return true;
}

bool decode(const Json &value, WorkspaceFoldersParams &out, const Path &path) {
  const Json *event = member(value, "event");
  if (!event || !event->is_object()) {
    return path.field("event").fail("expected an object");
  }
  out.added = folderUris(member(*event, "added"));
  out.removed = folderUris(member(*event, "removed"));
  return true;
}

bool decode(const Json &, InitializedParams &, const Path &) { return true; }
bool decode(const Json &, NoParams &, const Path &) { return true; }
bool decode(const Json &, SetTraceParams &, const Path &) { return true; }

bool decode(const Json &value, CancelParams &out, const Path &path) {
  const Json *id = member(value, "id");
  std::optional<protocol::Id> decoded = id ? protocol::idFromJson(*id) : std::nullopt;
  if (!decoded) {
    return path.field("id").fail("expected an integer or a string");
  }
  out.id = *decoded;
  return true;
}

bool decode(const Json &value, DidOpenParams &out, const Path &path) {
  if (!decodeTextDocument(value, out.uri, path)) {
    return false;
  }
  Path field = path.field("textDocument");
  Members document(*member(value, "textDocument"), field);
  return document.take("version", out.version) && document.need("text", out.text);
}

bool decode(const Json &value, DidChangeParams &out, const Path &path) {
  if (!decodeTextDocument(value, out.uri, path)) {
    return false;
  }
  Path field = path.field("textDocument");
  return Members(*member(value, "textDocument"), field).take("version", out.version) &&
         Members(value, path).need("contentChanges", out.changes);
}

bool decode(const Json &value, DidCloseParams &out, const Path &path) {
  return decodeTextDocument(value, out.uri, path);
}

bool decode(const Json &value, SettledParams &out, const Path &path) {
  return decodeTextDocument(value, out.uri, path);
}

bool decode(const Json &value, ExecuteCommandParams &out, const Path &path) {
  Members members(value, path);
  return members.need("command", out.command) && members.take("arguments", out.arguments);
}

bool decode(const Json &value, CancelProgressParams &out, const Path &path) {
  const Json *token = member(value, "token");
  if (token && token->is_string()) {
    out.token = token->get<std::string>();
  } else if (token && token->is_number_integer()) {
    out.token = token->get<int64_t>();
  } else {
    return path.field("token").fail("expected an integer or a string");
  }
  return true;
}

bool decode(const Json &value, DidSaveParams &out, const Path &path) {
  return decodeTextDocument(value, out.uri, path) && Members(value, path).take("text", out.text);
}

bool decode(const Json &value, HoverParams &out, const Path &path) {
  return decodeTextDocument(value, out.uri, path) && Members(value, path).need("position", out.position);
}

Json toJson(const Position &value) { return {{"line", value.line}, {"character", value.character}}; }
Json toJson(const Range &value) { return {{"start", toJson(value.start)}, {"end", toJson(value.end)}}; }
Json toJson(const Location &value) { return {{"uri", value.uri}, {"range", toJson(value.range)}}; }

Json toJson(const InitializeResult &value) {
  constexpr int kIncremental = 2;
  Json capabilities = {
      {"textDocumentSync", {{"openClose", true}, {"change", kIncremental}, {"save", {{"includeText", true}}}}},
  };
  capabilities["workspace"] = {{"workspaceFolders", {{"supported", true}, {"changeNotifications", true}}}};
  for (const std::string &provider : value.providers) {
    capabilities[provider] = providerOptions(provider);
  }
  if (value.namePositionEncoding) {
    capabilities["positionEncoding"] = "utf-16";
  }
  return {{"capabilities", std::move(capabilities)},
          {"serverInfo", {{"name", value.serverName}, {"version", value.serverVersion}}}};
}

Json toJson(const Hover &value) {
  Json out = {{"contents", {{"kind", value.markdown ? "markdown" : "plaintext"}, {"value", value.text}}}};
  if (value.range) {
    out["range"] = toJson(*value.range);
  }
  return out;
}

Json toJson(const Diagnostic &value) {
  Json out = {{"range", toJson(value.range)},
              {"severity", static_cast<int>(value.severity)},
              {"source", value.source},
              {"message", value.message}};
  if (!value.code.empty()) {
    out["code"] = value.code;
  }
  if (!value.codeDescription.empty()) {
    out["codeDescription"] = {{"href", value.codeDescription}};
  }
  for (DiagnosticTag tag : value.tags) {
    out["tags"].push_back(static_cast<int>(tag));
  }
  for (const RelatedInformation &related : value.related) {
    out["relatedInformation"].push_back({{"location", toJson(related.location)}, {"message", related.message}});
  }
  return out;
}

Json toJson(const PublishDiagnosticsParams &value) {
  Json out = {{"uri", value.uri}, {"diagnostics", Json::array()}};
  if (value.version) {
    out["version"] = *value.version;
  }
  for (const Diagnostic &diagnostic : value.diagnostics) {
    out["diagnostics"].push_back(toJson(diagnostic));
  }
  return out;
}

Json toJson(const ShowMessageParams &value) {
  return {{"type", static_cast<int>(value.type)}, {"message", value.message}};
}

} // namespace placid::lsp
