// SPDX-License-Identifier: Apache-2.0
#include "server/store/document_store.h"

#include "protocol/lsp/text_mirror.h"
#include "protocol/lsp/uri.h"
#include "server/support/slow_disk.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

namespace placid::server {

namespace {

std::optional<uint32_t> offsetOf(const source::LineIndex &lines, std::string_view text, lsp::Position at) {
  if (at.line > lines.lineCount()) {
    return std::nullopt;
  }
  return lines.offset(text, {at.line, at.character});
}

bool before(lsp::Position a, lsp::Position b) { return a.line != b.line ? a.line < b.line : a.character < b.character; }

} // namespace

std::optional<std::string> applyChanges(std::string text, const std::vector<lsp::ContentChange> &changes,
                                        const source::LineIndex *known) {
  constexpr size_t kMany = 8; // each of the following costs a pass over the text
  if (changes.size() > kMany) {
    return lsp::applyContentChanges(std::move(text), changes);
  }
  for (const lsp::ContentChange &change : changes) {
    if (!change.range) {
      text = change.text;
      known = nullptr;
      continue;
    }
    source::LineIndex made;
    if (!known) {
      made = source::LineIndex(text);
    }
    const source::LineIndex &lines = known ? *known : made;
    std::optional<uint32_t> begin = offsetOf(lines, text, change.range->start);
    if (!begin || before(change.range->end, change.range->start)) {
      return std::nullopt;
    }
    uint32_t end = offsetOf(lines, text, change.range->end).value_or(static_cast<uint32_t>(text.size()));
    text.replace(*begin, end - *begin, change.text);
    known = nullptr; // they were
  }
  return text;
}

namespace {

/// The path without links; empty where there is no file.
std::string fileOf(const std::string &path) {
  auto look = [path] {
    std::error_code error;
    return std::filesystem::canonical(path, error).string();
  };
  return path.starts_with('/') ? SlowDisk::shared().ask(path, look).value_or("") : std::string();
}

} // namespace

void DocumentStore::setText(Document &document, std::string text) {
  document.text = std::make_shared<source::SourceText>(lsp::displayPath(document.uri), std::move(text));
  document.memo = std::make_shared<InspectMemo>();
}

Document &DocumentStore::open(const lsp::DidOpenParams &params, Scheduler &scheduler) {
  auto [entry, added] = documents_.try_emplace(lsp::documentKey(params.uri));
  Document &document = entry->second;
  if (added) {
    document.id = scheduler.open();
  }
  document.uri = params.uri;
  document.file = fileOf(lsp::displayPath(params.uri));
  document.version = params.version;
  setText(document, params.text);
  return document;
}

Document *DocumentStore::change(const lsp::DidChangeParams &params) {
  Document *document = find(params.uri);
  if (!document) {
    return nullptr;
  }
  document->version = params.version;
  std::vector<lsp::ContentChange> changes = params.changes;
  if (!document->text) {
    // What the client builds on is not known here; only a full text can start anew.
    size_t first = 0;
    while (first < changes.size() && changes[first].range) {
      ++first;
    }
    if (first == changes.size()) {
      return document;
    }
    changes.erase(changes.begin(), changes.begin() + static_cast<std::ptrdiff_t>(first));
  }
  std::optional<std::string> text = applyChanges(document->text ? document->text->text : std::string(), changes,
                                                 document->text ? &document->text->lines : nullptr);
  if (text) {
    setText(*document, std::move(*text));
  } else {
    document->text = nullptr;
  }
  return document;
}

std::optional<Document> DocumentStore::lose(std::string_view uri) {
  Document *document = find(uri);
  if (!document || !document->text) {
    return std::nullopt;
  }
  Document before = *document;
  document->text = nullptr;
  return before;
}

Document *DocumentStore::replace(std::string_view uri, std::string text) {
  Document *document = find(uri);
  if (document) {
    setText(*document, std::move(text));
  }
  return document;
}

std::optional<Document> DocumentStore::close(std::string_view uri) {
  auto found = documents_.find(lsp::documentKey(uri));
  if (found == documents_.end()) {
    return std::nullopt;
  }
  Document document = std::move(found->second);
  documents_.erase(found);
  return document;
}

Document *DocumentStore::find(std::string_view uri) {
  auto found = documents_.find(lsp::documentKey(uri));
  return found == documents_.end() ? nullptr : &found->second;
}

std::vector<Document *> DocumentStore::dependents(const Document &module) {
  std::vector<Document *> out;
  std::vector<std::string> paths{lsp::displayPath(module.uri)};
  if (!module.file.empty() && module.file != paths[0]) {
    paths.push_back(module.file);
  }
  for (auto &[key, document] : documents_) {
    bool asks = std::any_of(paths.begin(), paths.end(), [&asking = document](const std::string &path) {
      return std::binary_search(asking.modules.begin(), asking.modules.end(), path) ||
             (asking.memo && asking.memo->asked->asks(path));
    });
    if (asks && document.id != module.id) {
      out.push_back(&document);
    }
  }
  return out;
}

std::map<std::string, source::SourcePtr> DocumentStore::texts() const {
  std::map<std::string, source::SourcePtr> out;
  for (const auto &[key, document] : documents_) {
    if (document.text) {
      out.emplace(document.text->path, document.text);
    }
  }
  return out;
}

std::vector<const Document *> DocumentStore::all() const {
  std::vector<const Document *> out;
  for (const auto &[key, document] : documents_) {
    if (document.text) {
      out.push_back(&document);
    }
  }
  return out;
}

void DocumentStore::forgetLearnt(DocumentId except) {
  for (auto &[key, document] : documents_) {
    if (document.id != except) {
      document.memo = std::make_shared<InspectMemo>();
    }
  }
}

std::vector<Document> DocumentStore::clear() {
  std::vector<Document> out;
  for (auto &[key, document] : documents_) {
    out.push_back(std::move(document));
  }
  documents_.clear();
  return out;
}

} // namespace placid::server
