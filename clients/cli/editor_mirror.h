// SPDX-License-Identifier: Apache-2.0
// What an editor has said so far, as far as a new daemon has to be told: the handshake, open documents with their
// present text, requests without an answer. Fed with the messages of both directions; touches no descriptor.
#pragma once

#include "protocol/jsonrpc/message.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace placid::cli {

class EditorMirror {
public:
  /// A message body that came from the editor.
  void fromEditor(const std::string &body);
  /// A body from the daemon. False when the editor must not see it: the answer to a repeated handshake, a
  /// registration that it has.
  bool fromDaemon(const std::string &body);

  /// The daemon is gone: the bodies that end for the editor what it began and nobody will finish.
  std::vector<std::string> endings();
  /// The bodies that bring a new daemon to where the old one was.
  std::vector<std::string> replay();

  /// Bodies for the present daemon, behind what the editor has just said: documents whose text was not known when that
  /// daemon was told, and is now.
  std::vector<std::string> openings() { return std::exchange(openings_, {}); }

  /// The client's process, once it has said it.
  std::optional<int64_t> editorPid() const { return editorPid_; }
  bool exiting() const { return exiting_; }
  /// Of a process that served this editor: 0 after shutdown and exit.
  int exitCode() const { return exiting_ && shutDown_ ? 0 : 1; }

private:
  struct Document {
    protocol::Json item; ///< `textDocument` of its didOpen, without the text.
    std::string text;
    bool lost = false;    ///< An edit did not fit: only a full text helps.
    bool unknown = false; ///< The present daemon has not been told of it.
  };
  struct Pending {
    std::string body;
    bool shutdown = false;
    uint64_t order = 0;
  };

  void take(const protocol::Call &call, const std::string &body, bool alone);
  void takeText(const protocol::Call &call);
  void regain(Document &document);
  void takeFolders(const protocol::Json &params);
  void lose(const protocol::Json &params);
  void takeProgress(const std::string &body);

  std::string initialize_;
  std::string initializeId_;
  bool initializeAnswered_ = false;
  bool swallowInitialize_ = false;
  bool registered_ = false; ///< The editor has been asked to watch files.
  std::string initialized_;
  std::string settings_;                        ///< The last configuration.
  std::map<std::string, protocol::Json> added_; ///< Workspace folders since the handshake, by URI …
  std::set<std::string> removed_;               ///< … and those that went, of which some came back.
  std::map<std::string, Document>
      documents_;                          ///< By lsp::documentKey(): spellings differ, the open one stays in `item`.
  std::map<std::string, Pending> pending_; ///< By the id's JSON text.
  uint64_t order_ = 0;
  std::set<std::string> progress_; ///< Tokens of the daemon's own that have begun and not ended.
  std::vector<std::string> openings_;
  std::optional<int64_t> editorPid_;
  bool shutDown_ = false;
  bool exiting_ = false;
};

} // namespace placid::cli
