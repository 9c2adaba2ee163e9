// SPDX-License-Identifier: Apache-2.0
#include "clients/cli/editor_mirror.h"

#include "protocol/lsp/codec.h"
#include "protocol/lsp/text_mirror.h"
#include "protocol/lsp/uri.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace placid::cli {

using protocol::Json;

namespace {

std::string idText(const protocol::Id &id) { return protocol::encode(protocol::toJson(id)); }

const Json *member(const Json &object, const char *name) {
  if (!object.is_object()) {
    return nullptr;
  }
  auto found = object.find(name);
  return found == object.end() ? nullptr : &*found;
}

std::string opening(const Json &item, const std::string &text) {
  Json whole = item;
  whole["text"] = text;
  return protocol::encode(protocol::notificationMessage("textDocument/didOpen", {{"textDocument", std::move(whole)}}));
}

} // namespace

/// Its text is known again.
void EditorMirror::regain(Document &document) {
  document.lost = false;
  if (std::exchange(document.unknown, false)) {
    openings_.push_back(opening(document.item, document.text));
  }
}

/// As the server: of the document that is named, or of any.
void EditorMirror::lose(const Json &params) {
  const Json *named = member(params, "textDocument");
  const Json *uri = named ? member(*named, "uri") : nullptr;
  bool known = uri && uri->is_string();
  for (auto &[key, document] : documents_) {
    if (!known || key == lsp::documentKey(uri->get_ref<const std::string &>())) {
      document.lost = true;
      document.text.clear();
    }
  }
}

void EditorMirror::takeFolders(const Json &params) {
  auto change = lsp::decodeParams<lsp::WorkspaceFoldersParams>("", params);
  const Json *event = member(params, "event");
  if (change.has_error()) {
    return;
  }
  for (const std::string &uri : change->removed) {
    added_.erase(uri);
    removed_.insert(uri);
  }
  const Json *added = member(*event, "added");
  for (const Json &folder : added && added->is_array() ? *added : Json::array()) {
    const Json *uri = member(folder, "uri");
    if (uri && uri->is_string()) {
      added_[uri->get<std::string>()] = folder;
    }
  }
}

void EditorMirror::takeText(const protocol::Call &call) {
  if (call.method == "textDocument/didOpen") {
    auto params = lsp::decodeParams<lsp::DidOpenParams>(call.method, call.params);
    if (params.has_value()) {
      Document document;
      document.item = call.params["textDocument"];
      document.item.erase("text");
      document.text = params->text;
      documents_[lsp::documentKey(params->uri)] = std::move(document);
    } else {
      lose(call.params);
    }
  } else if (call.method == "textDocument/didChange") {
    auto params = lsp::decodeParams<lsp::DidChangeParams>(call.method, call.params);
    if (params.has_error()) {
      lose(call.params);
      return;
    }
    auto found = params.has_value() ? documents_.find(lsp::documentKey(params->uri)) : documents_.end();
    if (found == documents_.end()) {
      return;
    }
    Document &document = found->second;
    std::vector<lsp::ContentChange> changes = params->changes;
    if (document.lost) {
      auto full = std::find_if(changes.begin(), changes.end(), [](const auto &change) { return !change.range; });
      changes.erase(changes.begin(), full);
      if (changes.empty()) {
        return;
      }
    }
    std::optional<std::string> text = lsp::applyContentChanges(std::move(document.text), changes);
    document.lost = !text;
    document.text = std::move(text).value_or("");
    if (params->version) {
      document.item["version"] = *params->version;
    }
    if (!document.lost) {
      regain(document);
    }
  } else if (call.method == "textDocument/didSave") {
    auto params = lsp::decodeParams<lsp::DidSaveParams>(call.method, call.params);
    auto found = params.has_value() ? documents_.find(lsp::documentKey(params->uri)) : documents_.end();
    if (found != documents_.end() && params->text) {
      found->second.text = *params->text;
      regain(found->second);
    }
  } else if (call.method == "textDocument/didClose") {
    auto params = lsp::decodeParams<lsp::DidCloseParams>(call.method, call.params);
    if (params.has_value()) {
      documents_.erase(lsp::documentKey(params->uri));
    }
  }
}

void EditorMirror::take(const protocol::Call &call, const std::string &body, bool alone) {
  if (call.id) {
    if (call.method == "initialize" && initialize_.empty()) {
      initialize_ = body;
      initializeId_ = idText(*call.id);
      if (const Json *pid = member(call.params, "processId"); pid && pid->is_number_integer()) {
        editorPid_ = pid->get<int64_t>();
      }
    } else {
      Json again = {{"jsonrpc", "2.0"}, {"id", protocol::toJson(*call.id)}, {"method", call.method}};
      again["params"] = call.params;
      pending_[idText(*call.id)] = {alone ? body : protocol::encode(again), call.method == "shutdown", ++order_};
    }
    return;
  }
  if (call.method == "exit") {
    exiting_ = true;
  } else if (call.method == "initialized") {
    initialized_ = body;
  } else if (call.method == "workspace/didChangeConfiguration") {
    settings_ = alone ? body : ""; // the last one says all
  } else if (call.method == "workspace/didChangeWorkspaceFolders") {
    takeFolders(call.params);
  } else {
    takeText(call);
  }
}

void EditorMirror::fromEditor(const std::string &body) {
  protocol::Incoming incoming = protocol::decodeMessage(body);
  for (const protocol::Message &message : incoming.messages) {
    if (const auto *call = std::get_if<protocol::Call>(&message)) {
      take(*call, body, !incoming.batch);
    } else if (std::holds_alternative<protocol::Invalid>(message) &&
               body.find("textDocument/did") != std::string::npos) {
      lose(nullptr); // it may have been an edit
    }
  }
}

/// Tokens that the editor made belong to requests, which a new daemon is asked again and ends itself.
void EditorMirror::takeProgress(const std::string &body) {
  for (const protocol::Message &message : protocol::decodeMessage(body).messages) {
    const auto *call = std::get_if<protocol::Call>(&message);
    const Json *token = call && call->method == "$/progress" ? member(call->params, "token") : nullptr;
    const Json *value = token ? member(call->params, "value") : nullptr;
    const Json *kind = value ? member(*value, "kind") : nullptr;
    if (!kind || !token->is_string() || !token->get_ref<const std::string &>().starts_with("placid/")) {
      continue;
    }
    if (*kind == "begin") {
      progress_.insert(token->get<std::string>());
    } else if (*kind == "end") {
      progress_.erase(token->get<std::string>());
    }
  }
}

std::vector<std::string> EditorMirror::endings() {
  std::vector<std::string> out;
  for (const std::string &token : std::exchange(progress_, {})) {
    out.push_back(protocol::encode(
        protocol::notificationMessage("$/progress", {{"token", token}, {"value", {{"kind", "end"}}}})));
  }
  return out;
}

bool EditorMirror::fromDaemon(const std::string &body) {
  if (body.find("$/progress") != std::string::npos) {
    takeProgress(body);
  }
  if (body.find("\"client/registerCapability\"") != std::string::npos) {
    for (const protocol::Message &message : protocol::decodeMessage(body).messages) {
      const auto *call = std::get_if<protocol::Call>(&message);
      if (call && call->method == "client/registerCapability") {
        return !std::exchange(registered_, true);
      }
    }
  }
  if (pending_.empty() && initializeAnswered_ && !swallowInitialize_) {
    return true; // nothing is waited for
  }
  for (const protocol::Message &message : protocol::decodeMessage(body).messages) {
    const auto *response = std::get_if<protocol::Response>(&message);
    if (!response) {
      continue;
    }
    std::string id = idText(response->id);
    if (!initialize_.empty() && id == initializeId_ && (!initializeAnswered_ || swallowInitialize_)) {
      bool hide = swallowInitialize_;
      swallowInitialize_ = false;
      if (!hide && response->error) {
        initialize_.clear(); // refused: the editor may try again
        return true;
      }
      initializeAnswered_ = true;
      return !hide;
    }
    auto found = pending_.find(id);
    if (found != pending_.end()) {
      shutDown_ = shutDown_ || (found->second.shutdown && !response->error);
      pending_.erase(found);
    }
  }
  return true;
}

std::vector<std::string> EditorMirror::replay() {
  std::vector<std::string> out;
  if (!initialize_.empty()) {
    out.push_back(initialize_);
    swallowInitialize_ = initializeAnswered_;
  }
  if (!initialized_.empty()) {
    out.push_back(initialized_);
  }
  if (!settings_.empty()) {
    out.push_back(settings_);
  }
  if (!added_.empty() || !removed_.empty()) {
    Json event = {{"added", Json::array()}, {"removed", Json::array()}};
    for (const auto &[uri, folder] : added_) {
      event["added"].push_back(folder);
    }
    for (const std::string &uri : removed_) {
      event["removed"].push_back({{"uri", uri}, {"name", ""}});
    }
    out.push_back(protocol::encode(
        protocol::notificationMessage("workspace/didChangeWorkspaceFolders", {{"event", std::move(event)}})));
  }
  openings_.clear();
  for (auto &[key, document] : documents_) {
    document.unknown = document.lost;
    if (!document.lost) {
      out.push_back(opening(document.item, document.text));
    }
  }
  std::vector<const Pending *> waiting;
  for (const auto &[id, pending] : pending_) {
    waiting.push_back(&pending);
  }
  std::sort(waiting.begin(), waiting.end(), [](const Pending *a, const Pending *b) { return a->order < b->order; });
  for (const Pending *pending : waiting) {
    out.push_back(pending->body);
  }
  if (shutDown_) {
    // The new daemon has to be as far: its answer to this is nobody's.
    out.push_back(R"({"jsonrpc":"2.0","id":"placid/again","method":"shutdown"})");
  }
  return out;
}

} // namespace placid::cli
