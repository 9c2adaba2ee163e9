// SPDX-License-Identifier: Apache-2.0
// One client conversation: its lifecycle (initialize … shutdown, exit), its documents, its running queries. Takes
// message bodies, answers into an Outbox, and asks the scheduler for compiler work; knows no transport and no compiler.
// Many sessions may share one scheduler. Io thread.
#pragma once

#include "protocol/jsonrpc/message.h"
#include "server/dispatch/reply.h"
#include "server/handlers/handlers.h"
#include "server/publish/publish.h"
#include "server/session/editor_builds.h"
#include "server/session/outbox.h"
#include "server/session/progress.h"
#include "server/session/workspace_diagnostics.h"
#include "server/store/disk_sources.h"
#include "server/store/document_store.h"
#include "server/store/saved_text.h"

#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace placid::server {

struct SessionConfig {
  compiler::Options options; ///< From the command line: what is set here wins over the client's wishes.
  std::string version;
  DocLinks links;
  bool (*importsPl)(std::string_view) = nullptr; ///< Which files of a workspace are looked at; null: all.
  /// Called with the client's process id, so that a transport can end the session when that process ends.
  std::function<void(int64_t pid)> watchProcess;
  StartEditorBuild startBuild; ///< Empty: no builds here.
  std::function<SavedText(const std::string &path, const std::string *text)> savedText = server::savedText;
  /// Files of the workspace that nobody has open are looked at unasked. For where that delays nobody and results are
  /// kept.
  bool watchesWorkspace = false;
};

class Session {
public:
  Session(Scheduler &scheduler, Outbox &outbox, SessionConfig config);
  ~Session();
  Session(const Session &) = delete;
  Session &operator=(const Session &) = delete;

  /// One message body.
  void receive(std::string_view body);
  /// A body that was longer than the transport takes.
  void receiveOversize(uint64_t bytes);
  /// The peer is gone: nothing more is sent, all work is dropped.
  void disconnect();
  /// Set once the conversation is over: 0 after shutdown and exit, 1 otherwise.
  std::optional<int> exitCode() const { return exitCode_; }

  // --- for handlers
  enum class State { New, Running, ShutDown };
  State state() const { return state_; }
  void initialize(const lsp::InitializeParams &params);
  void shutdown();
  void exit();
  const SessionConfig &config() const { return config_; }
  const lsp::ClientCapabilities &client() const { return client_; }
  DocumentStore &documents() { return documents_; }
  Document &openDocument(const lsp::DidOpenParams &params) { return documents_.open(params, scheduler_); }
  /// Checks the document's text, and the documents that import it; publishes each under its present version.
  void schedule(const Document &document);
  /// Its text was saved: what lies around it may have changed without a word. Publishes what is new.
  void checkAgain(Document &document);
  /// Stops checking it and clears what was published.
  void forget(const Document &document);
  /// With what builds have found in that document.
  void publish(lsp::PublishDiagnosticsParams params);
  void publishAlone(const lsp::PublishDiagnosticsParams &params);
  /// Builds a file as the command line does. Tools' words become diagnostics.
  void build(const std::string &uri, std::vector<std::string> options, Reply reply);
  void cancelProgress(const protocol::Json &token) { builds_.cancelToken(token); }
  /// The document has a text that its file need not have; what was said of the file is over.
  void opened(const Document &document);
  /// The document's text is another one.
  void edited(const Document &document) { builds_.edited(document.uri); }
  void showMessage(lsp::MessageType type, std::string message);
  void notify(std::string_view method, protocol::Json params, std::string_view key = {});
  void cancel(const protocol::Id &id);
  /// Answers once the diagnostics of the document's newest text are out.
  void whenSettled(const lsp::SettledParams &params, Reply reply);
  void askWorkspace(const lsp::WorkspaceDiagnosticParams &params, Reply reply);
  /// Asks the client to say when files change that are read here.
  void watchFiles();
  /// Files or settings have changed that nobody has open: who asks for diagnostics may want to ask again.
  void filesChanged();
  /// Files or settings have changed: what was learnt of all texts but `except` may be old, and all are checked again.
  void checkEverything(DocumentId except = {});
  /// Folders come and go.
  void changeFolders(const std::vector<std::string> &added, const std::vector<std::string> &removed);
  /// Settings files whose faults are shown, with the spelling under which they are, by lsp::documentKey().
  std::map<std::string, std::string> &settingsShown() { return settingsShown_; }
  /// Requests that are admitted and not answered yet. Beyond a limit they are refused; nobody stops reading for them,
  /// because what takes them back has to be read.
  static constexpr size_t kMaxPending = 4096;
  size_t pending() const { return running_.size() + settling_.size() + workspace_.pending(); }

  // --- for dispatch
  struct Query {
    std::string uri;
    bool wholeWorkspace = false; ///< About no document in particular; then there is no `uri`.
    bool urgent = false;         ///< Somebody types and waits for it.
    bool fromDisk = false;       ///< Also about a file that is not open; then as about the whole workspace.
    protocol::Json ofSettings{}; ///< The answer for a file of settings.
    std::function<void(const Snapshot &, std::stop_token)> work; ///< Compile thread.
    std::function<void(Reply)> answer;                           ///< Io thread, unless cancelled before.
  };
  void startQuery(Query query, Reply reply);
  PublishOptions publishOptions() const {
    return {client_.relatedInformation, client_.codeDescription, config_.links, client_.diagnosticTags};
  }

private:
  struct Running {
    Reply reply;
    std::stop_source stop;
    protocol::Json token{}; ///< The client's, for progress; null without one.
    bool shown = false;     ///< It was told that this takes long.
  };

  Progress::Wiring progressWiring();
  EditorBuilds::Wiring buildWiring();
  void showProgress(Running &running, uint64_t ticket);
  void endProgress(const Running &running);
  WorkspaceView workspaceView() const;
  void check(const Document &document, bool again = false);
  void watchWorkspace();
  void checkDependents(const Document &document);
  void setFolders(const std::vector<std::string> &added, const std::vector<std::string> &removed);
  void refreshViews(bool diagnosticsToo);
  void askForRefreshes();
  compiler::Options compileOptions() const;
  std::shared_ptr<OpenSources> openSources() const;
  bool isSaved(const Document &document) const;
  void publishBuilt(const std::string &uri);
  std::vector<std::string> buildOptions(const std::vector<std::string> &given) const;
  struct Settling {
    std::string uri;
    Reply reply;
  };

  void answerSettled();
  void handle(const protocol::Message &message, const std::shared_ptr<Batch> &batch);
  void handleCall(const protocol::Call &call, const std::shared_ptr<Batch> &batch);
  void send(const protocol::Json &message, std::string_view key = {});
  SendMessage sender();

  Scheduler &scheduler_;
  Outbox &outbox_;
  SessionConfig config_;
  ClientId clientId_;
  State state_ = State::New;
  bool connected_ = true;
  std::optional<int> exitCode_;
  lsp::ClientCapabilities client_;
  DocumentStore documents_;
  std::shared_ptr<ModuleShelf> shelf_ = std::make_shared<ModuleShelf>();
  std::map<uint64_t, Running> running_; ///< By ticket: a client may reuse an id while it runs.
  uint64_t lastTicket_ = 0;
  std::list<Settling> settling_;
  WorkspaceDiagnostics workspace_;
  protocol::Json token_;        ///< Of the request that is being handled.
  protocol::Json partialToken_; ///< The same, for partial results.
  int64_t refreshes_ = 0;
  bool refreshing_ = false;         ///< A refresh goes out soon.
  bool refreshDiagnostics_ = false; ///< It concerns diagnostics, too.
  std::map<std::string, std::string> settingsShown_;
  Progress progress_{progressWiring()};
  EditorBuilds builds_{buildWiring()};
  struct Checked {
    source::SourcePtr text;
    lsp::PublishDiagnosticsParams said;
  };
  std::map<std::string, Checked> checked_; ///< What checks said last, by lsp::documentKey().
  /// What files are told that are not open, by the same; none without faults.
  std::map<std::string, lsp::PublishDiagnosticsParams> unopened_;
  bool watching_ = false;
  /// Shared with what the scheduler still holds: empty once the session is gone.
  std::shared_ptr<Session *> self_ = std::make_shared<Session *>(this);
};

} // namespace placid::server
