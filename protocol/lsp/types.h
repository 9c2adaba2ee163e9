// SPDX-License-Identifier: Apache-2.0
// The part of the Language Server Protocol that placid speaks, as plain structs. No JSON here: codecs are in codec.h,
// so that server code that only carries these values does not see the parser. Positions are the protocol's: 0-based
// lines, 0-based UTF-16 code units. Any thread.
#pragma once

#include "protocol/jsonrpc/error.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace placid::lsp {

struct Position {
  uint32_t line = 0;
  uint32_t character = 0;
  bool operator==(const Position &) const = default;
};

struct Range {
  Position start;
  Position end;
  bool operator==(const Range &) const = default;
};

struct Location {
  std::string uri;
  Range range;
  bool operator==(const Location &) const = default;
};

// ---- initialize ----------------------------------------------------------------------------------------------------

/// What a client can do, as far as it changes what it is sent. Unknown or misshapen capabilities count as absent.
struct ClientCapabilities {
  bool offersPositionEncodings = false; ///< UTF-16 was among `general.positionEncodings`: it is named back.
  bool relatedInformation = false;
  bool codeDescription = false;
  bool diagnosticTags = false;
  bool hoverMarkdown = false;
  bool showsProgress = false;        ///< Also such as the server begins.
  bool pullsDiagnostics = false;     ///< Then nothing is pushed: a client shows what it is told twice.
  bool registersWatchers = false;    ///< It watches files when it is asked to.
  bool refreshesDiagnostics = false; ///< It asks anew when it is told to.
  bool refreshesHints = false;       ///< The same for inlay hints …
  bool refreshesLenses = false;      ///< … and for code lenses.
};

/// `initializationOptions`: the session's defaults, each overridable on the command line.
struct SessionOptions {
  std::string arch;
  std::map<std::string, std::string> defines;
  bool workspaceDiagnostics = true; ///< Whoever is pushed diagnostics is told of files that are not open, too.
};

struct InitializeParams {
  std::optional<int64_t> processId; ///< The session ends when this process does.
  ClientCapabilities capabilities;
  SessionOptions options;
  std::vector<std::string> folders; ///< URIs of the workspace folders, or of the root alone.
};

struct InitializeResult {
  bool namePositionEncoding = false;
  std::vector<std::string> providers; ///< Capability members, such as `hoverProvider`.
  std::string serverName;
  std::string serverVersion;
};

/// `workspace/didChangeWorkspaceFolders`: URIs.
struct WorkspaceFoldersParams {
  std::vector<std::string> added;
  std::vector<std::string> removed;
};

struct InitializedParams {};
struct NoParams {};
struct NoResult {}; ///< Null on the wire.

struct SetTraceParams {};

struct CancelParams {
  std::variant<std::monostate, int64_t, std::string> id;
};

// ---- text ----------------------------------------------------------------------------------------------------------

/// `version` is absent where a client sends null; 0 is a version like any other.
struct DidOpenParams {
  std::string uri;
  std::optional<int64_t> version;
  std::string text;
};

/// Without a range the text replaces the whole document. The deprecated `rangeLength` is accepted and not used.
struct ContentChange {
  std::optional<Range> range;
  std::string text;
};

struct DidChangeParams {
  std::string uri;
  std::optional<int64_t> version;
  std::vector<ContentChange> changes;
};

struct DidCloseParams {
  std::string uri;
};

struct DidSaveParams {
  std::string uri;
  std::optional<std::string> text;
};

// ---- features ------------------------------------------------------------------------------------------------------

struct HoverParams {
  std::string uri;
  Position position;
};

/// `placid/settled`: answered once the diagnostics of the document's newest text are out.
struct SettledParams {
  std::string uri;
};

/// `workspace/executeCommand`.
struct ExecuteCommandParams {
  std::string command;
  std::vector<std::string> arguments; ///< The commands of this server take texts alone.
};

/// `window/workDoneProgress/cancel`.
struct CancelProgressParams {
  std::variant<int64_t, std::string> token;
};

struct Hover {
  bool markdown = true;
  std::string text;
  std::optional<Range> range;
};

enum class Severity : uint8_t { Error = 1, Warning = 2, Information = 3, Hint = 4 };

struct RelatedInformation {
  Location location;
  std::string message;
};

enum class DiagnosticTag : uint8_t { Unnecessary = 1, Deprecated = 2 };

struct Diagnostic {
  Range range;
  Severity severity = Severity::Error;
  std::string code;
  std::string codeDescription; ///< URI; empty for none.
  std::string source;
  std::string message;
  std::vector<RelatedInformation> related;
  std::vector<DiagnosticTag> tags;
};

struct PublishDiagnosticsParams {
  std::string uri;
  std::optional<int64_t> version;
  std::vector<Diagnostic> diagnostics;
};

enum class MessageType : uint8_t { Error = 1, Warning = 2, Info = 3, Log = 4 };

struct ShowMessageParams {
  MessageType type = MessageType::Info;
  std::string message;
};

} // namespace placid::lsp
