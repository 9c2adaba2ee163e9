// SPDX-License-Identifier: Apache-2.0
#include "protocol/lsp/features_codec.h"

#include <nlohmann/json.hpp>

namespace placid::lsp {

namespace {

bool decodeUri(const Json &value, std::string &uri, const Path &path) {
  DidCloseParams document;
  if (!decode(value, document, path)) {
    return false;
  }
  uri = std::move(document.uri);
  return true;
}

/// `{textDocument: {uri}, position}`.
template <class Params> bool decodePlace(const Json &value, Params &out, const Path &path) {
  return decodeUri(value, out.uri, path) && Members(value, path).need("position", out.position);
}

template <class T> Json list(const std::vector<T> &values) {
  Json out = Json::array();
  for (const T &value : values) {
    out.push_back(toJson(value));
  }
  return out;
}

Json markup(const std::string &text) { return {{"kind", "markdown"}, {"value", text}}; }

void addText(Json &out, const char *name, const std::string &value) {
  if (!value.empty()) {
    out[name] = value;
  }
}

struct PreviousId {
  std::string uri, value;
};

bool decode(const Json &value, PreviousId &out, const Path &path) {
  Members members(value, path);
  return members.isObject() && members.need("uri", out.uri) && members.need("value", out.value);
}

/// The URIs of a list of objects.
bool urisOf(const Json *list, std::vector<std::string> &out, const Path &field) {
  std::vector<const Json *> items;
  if (!list || !elements(*list, items)) {
    return field.fail("expected an array");
  }
  for (const Json *item : items) {
    Members members(*item, field);
    if (!members.isObject() || !members.need("uri", out.emplace_back())) {
      return false;
    }
  }
  return true;
}

} // namespace

bool decode(const Json &value, DocumentParams &out, const Path &path) { return decodeUri(value, out.uri, path); }
bool decode(const Json &value, PositionParams &out, const Path &path) { return decodePlace(value, out, path); }

bool decode(const Json &value, ReferenceParams &out, const Path &path) {
  if (!decodePlace(value, out, path)) {
    return false;
  }
  const Json *context = member(value, "context");
  return !context || !isObject(*context) ||
         Members(*context, path.field("context")).take("includeDeclaration", out.includeDeclaration);
}

bool decode(const Json &value, RenameParams &out, const Path &path) {
  return decodePlace(value, out, path) && Members(value, path).need("newName", out.newName);
}

bool decode(const Json &value, SelectionRangeParams &out, const Path &path) {
  return decodeUri(value, out.uri, path) && Members(value, path).need("positions", out.positions);
}

bool decode(const Json &value, RangeParams &out, const Path &path) {
  return decodeUri(value, out.uri, path) && Members(value, path).need("range", out.range);
}

bool decode(const Json &value, CodeActionParams &out, const Path &path) {
  if (!decodeUri(value, out.uri, path) || !Members(value, path).need("range", out.range)) {
    return false;
  }
  const Json *context = member(value, "context");
  if (!context || !isObject(*context)) {
    return true;
  }
  Path field = path.field("context");
  return Members(*context, field).take("only", out.only);
}

bool decode(const Json &value, PreviousResultParams &out, const Path &path) {
  return decodeUri(value, out.uri, path) && Members(value, path).take("previousResultId", out.previousResultId);
}

bool decode(const Json &value, WorkspaceDiagnosticParams &out, const Path &path) {
  std::vector<PreviousId> ids;
  if (!isObject(value) || !Members(value, path).take("previousResultIds", ids)) {
    return isObject(value) ? false : path.fail("expected an object");
  }
  for (PreviousId &id : ids) {
    out.previousResultIds[id.uri] = std::move(id.value);
  }
  return true;
}

bool decode(const Json &value, WatchedFilesParams &out, const Path &path) {
  return urisOf(member(value, "changes"), out.uris, path.field("changes"));
}

bool decode(const Json &value, WorkspaceSymbolParams &out, const Path &path) {
  Members members(value, path);
  return members.isObject() && members.need("query", out.query);
}

bool decode(const Json &value, CallHierarchyParams &out, const Path &path) {
  const Json *item = member(value, "item");
  Path field = path.field("item");
  if (!item) {
    return field.fail("is missing");
  }
  Range range;
  Members members(*item, field);
  if (!members.isObject() || !members.need("uri", out.uri) || !members.need("selectionRange", range)) {
    return false;
  }
  out.position = range.start;
  return true;
}

bool decode(const Json &value, IrParams &out, const Path &path) {
  Members members(value, path);
  return decodeUri(value, out.uri, path) && members.take("after", out.after) && members.take("emit", out.emit) &&
         members.take("kernel", out.kernel);
}

bool decode(const Json &value, PictureParams &out, const Path &path) {
  Members members(value, path);
  return decodeUri(value, out.uri, path) && members.take("format", out.format) && members.take("tensor", out.tensor) &&
         members.take("position", out.position);
}

Json toJson(const TextEdit &value) { return {{"range", toJson(value.range)}, {"newText", value.newText}}; }

Json toJson(const WorkspaceEdit &value) {
  Json changes = Json::object();
  for (const auto &[uri, edits] : value.changes) {
    changes[uri] = list(edits);
  }
  return {{"changes", std::move(changes)}};
}

Json toJson(const CodeAction &value) {
  Json out = {{"title", value.title}, {"kind", value.kind}, {"edit", toJson(value.edit)}};
  if (value.fixes) {
    out["diagnostics"] = Json::array({toJson(*value.fixes)});
  }
  if (value.preferred) {
    out["isPreferred"] = true;
  }
  return out;
}

Json toJson(const DocumentSymbol &value) {
  Json out = {{"name", value.name},
              {"kind", static_cast<int>(value.kind)},
              {"range", toJson(value.range)},
              {"selectionRange", toJson(value.selectionRange)}};
  addText(out, "detail", value.detail);
  if (!value.children.empty()) {
    out["children"] = list(value.children);
  }
  return out;
}

Json toJson(const WorkspaceSymbol &value) {
  Json out = {{"name", value.name}, {"kind", static_cast<int>(value.kind)}, {"location", toJson(value.location)}};
  addText(out, "containerName", value.containerName);
  return out;
}

Json toJson(const DocumentHighlight &value) {
  return {{"range", toJson(value.range)}, {"kind", static_cast<int>(value.kind)}};
}

Json toJson(const PrepareRename &value) { return {{"range", toJson(value.range)}, {"placeholder", value.placeholder}}; }

Json toJson(const InlayHint &value) {
  Json out = {{"position", toJson(value.position)},
              {"label", value.label},
              {"kind", value.type ? 1 : 2},
              {"paddingLeft", true}};
  if (!value.tooltip.empty()) {
    out["tooltip"] = markup(value.tooltip);
  }
  return out;
}

Json toJson(const CompletionList &value) {
  Json items = Json::array();
  for (const CompletionItem &item : value.items) {
    Json one = {{"label", item.label}, {"kind", static_cast<int>(item.kind)}};
    addText(one, "detail", item.detail);
    addText(one, "sortText", item.sortText);
    if (!item.documentation.empty()) {
      one["documentation"] = markup(item.documentation);
    }
    items.push_back(std::move(one));
  }
  return {{"isIncomplete", false}, {"items", std::move(items)}};
}

Json toJson(const SignatureHelp &value) {
  Json signatures = Json::array();
  for (const Signature &signature : value.signatures) {
    Json parameters = Json::array();
    for (const std::string &parameter : signature.parameters) {
      parameters.push_back({{"label", parameter}});
    }
    Json one = {{"label", signature.label}, {"parameters", std::move(parameters)}};
    if (!signature.documentation.empty()) {
      one["documentation"] = markup(signature.documentation);
    }
    signatures.push_back(std::move(one));
  }
  return {{"signatures", std::move(signatures)},
          {"activeSignature", value.activeSignature},
          {"activeParameter", value.activeParameter}};
}

Json toJson(const FoldingRange &value) {
  Json out = {{"startLine", value.startLine}, {"endLine", value.endLine}};
  addText(out, "kind", value.kind);
  return out;
}

Json toJson(const SelectionRange &value) {
  Json out;
  for (auto range = value.ranges.rbegin(); range != value.ranges.rend(); ++range) {
    Json inner = {{"range", toJson(*range)}};
    if (!out.is_null()) {
      inner["parent"] = std::move(out);
    }
    out = std::move(inner);
  }
  return out;
}

Json toJson(const SemanticTokens &value) { return {{"resultId", value.resultId}, {"data", value.data}}; }

Json toJson(const SemanticTokensDelta &value) {
  if (value.whole) {
    return {{"resultId", value.resultId}, {"data", *value.whole}};
  }
  Json edits = Json::array();
  if (value.deleteCount > 0 || !value.data.empty()) {
    edits.push_back({{"start", value.start}, {"deleteCount", value.deleteCount}, {"data", value.data}});
  }
  return {{"resultId", value.resultId}, {"edits", std::move(edits)}};
}

Json toJson(const CodeLens &value) {
  Json command = {{"title", value.title}, {"command", value.command}};
  if (!value.arguments.empty()) {
    command["arguments"] = value.arguments;
  }
  return {{"range", toJson(value.range)}, {"command", std::move(command)}};
}

Json toJson(const DocumentLink &value) { return {{"range", toJson(value.range)}, {"target", value.target}}; }

Json toJson(const CallHierarchyItem &value) {
  Json out = {{"name", value.name},
              {"kind", static_cast<int>(SymbolKind::Function)},
              {"uri", value.uri},
              {"range", toJson(value.range)},
              {"selectionRange", toJson(value.selectionRange)}};
  addText(out, "detail", value.detail);
  return out;
}

Json toJson(const CallHierarchyCall &value) {
  return {{value.incoming ? "from" : "to", toJson(value.item)}, {"fromRanges", list(value.fromRanges)}};
}

Json toJson(const DiagnosticReport &value) {
  Json out = {{"kind", value.unchanged ? "unchanged" : "full"}, {"resultId", value.resultId}};
  if (!value.unchanged) {
    out["items"] = list(value.items);
  }
  return out;
}

Json toJson(const WorkspaceDiagnosticReport &value) {
  Json items = Json::array();
  for (const WorkspaceDiagnosticReport::Entry &entry : value.items) {
    Json one = toJson(entry.report);
    one["uri"] = entry.uri;
    one["version"] = entry.version ? Json(*entry.version) : Json(nullptr);
    items.push_back(std::move(one));
  }
  return {{"items", std::move(items)}};
}

Json toJson(const IrAnswer &value) { return {{"text", value.text}, {"passes", value.passes}}; }
Json toJson(const PictureAnswer &value) { return {{"text", value.text}, {"tensors", value.tensors}}; }

Json providerOptions(std::string_view provider) {
  if (provider == "executeCommandProvider") {
    return {{"commands", {"placid.build"}}, {"workDoneProgress", true}};
  }
  if (provider == "completionProvider") {
    return {{"triggerCharacters", {"."}}};
  }
  if (provider == "signatureHelpProvider") {
    return {{"triggerCharacters", {"(", ","}}, {"retriggerCharacters", {","}}};
  }
  if (provider == "renameProvider") {
    return {{"prepareProvider", true}};
  }
  if (provider == "codeActionProvider") {
    return {{"codeActionKinds", {"quickfix"}}};
  }
  if (provider == "codeLensProvider" || provider == "documentLinkProvider") {
    return {{"resolveProvider", false}};
  }
  if (provider == "diagnosticProvider") {
    return {{"identifier", "placid"}, {"interFileDependencies", true}, {"workspaceDiagnostics", true}};
  }
  if (provider == "semanticTokensProvider") {
    return {
        {"legend",
         {{"tokenTypes", {"namespace", "class", "enum", "enumMember", "function", "parameter", "variable", "property"}},
          {"tokenModifiers", {"declaration", "readonly", "defaultLibrary"}}}},
        {"full", {{"delta", true}}}};
  }
  return true;
}

} // namespace placid::lsp
