// SPDX-License-Identifier: Apache-2.0
// workspace/diagnostic: what is wrong in the files of the workspace that use PL, open or not. Every file is a job of
// its own behind all that editors wait for, so that a large workspace delays nobody. A client that has been told
// everything is answered when something has changed: it asks again as soon as it has an answer. For a client that
// does not ask, a watch does the same while its session lives, of files that are not open. Knows nothing of sessions.
// Io thread; the jobs run on compile threads.
#pragma once

#include "protocol/lsp/features.h"
#include "server/dispatch/reply.h"
#include "server/publish/publish.h"
#include "server/scheduler/scheduler.h"

#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace placid::server {

/// A document that a client has open.
struct OpenText {
  std::string uri; ///< As the client spells it.
  std::optional<int64_t> version;
  source::SourcePtr text;
};

/// A workspace as it is when somebody asks.
struct WorkspaceView {
  std::vector<OpenText> open; ///< Without settings files.
  compiler::Options options;  ///< `roots` are the folders that are looked through.
  PublishOptions publish;
  bool (*importsPl)(std::string_view) = nullptr; ///< Whose files are looked at; null: all.
};

/// What the result id of a list is: a digest, so that a list that has not changed has the same one.
std::string resultIdOf(const std::vector<lsp::Diagnostic> &items);

class WorkspaceDiagnostics {
public:
  /// How long changes are collected before a client that waits for one is looked after.
  static constexpr std::chrono::milliseconds kCollect{1000};
  /// Files change without a word, too: after so long they are looked at again.
  static constexpr std::chrono::milliseconds kLookAgain{30000};
  static constexpr size_t kMaxFiles = 4000;
  /// So many files with faults are told of unasked.
  static constexpr size_t kMaxTold = 500;
  /// Requests at the same time.
  static constexpr size_t kMaxAsks = 16;

  struct Wiring {
    std::function<WorkspaceView()> view;
    SendMessage send; ///< Progress and partial results. Called only while the request lives.
  };
  struct Tokens {
    protocol::Json work{};    ///< For progress; null without.
    protocol::Json partial{}; ///< For partial results; null without.
  };

  WorkspaceDiagnostics(Scheduler &scheduler, Wiring wiring);
  ~WorkspaceDiagnostics();
  WorkspaceDiagnostics(const WorkspaceDiagnostics &) = delete;
  WorkspaceDiagnostics &operator=(const WorkspaceDiagnostics &) = delete;

  void ask(const lsp::WorkspaceDiagnosticParams &params, Tokens tokens, Reply reply);
  /// Takes the faults of a file that is not open, when they have changed; false: it does not want them.
  using Tell = std::function<bool(const std::string &uri, std::vector<lsp::Diagnostic> found)>;
  /// At most once. Looks at the files a moment later, and again whenever something has changed; `unseen`: nobody says
  /// when files do.
  void watch(Tell tell, bool unseen);
  /// A document is open now: what was told of its file holds no more.
  void taken(const std::string &uri);
  /// False when no such request runs.
  bool cancel(const protocol::Id &id);
  /// A text has changed.
  void changed();
  /// A file or a setting has, or there are others.
  void filesChanged();
  /// Whatever runs is stopped and answered as cancelled.
  void end();
  size_t pending() const { return asks_.size(); }

private:
  struct Ask;
  using AskPtr = std::shared_ptr<Ask>;
  struct Found;

  void start(const AskPtr &ask, bool unseen = false);
  void listed(const AskPtr &ask, const std::vector<std::string> &paths);
  void collect(const AskPtr &ask);
  void rest(const AskPtr &ask);
  void startMore(const AskPtr &ask);
  void checked(const AskPtr &ask, size_t index, std::shared_ptr<Found> found);
  void note(Ask &ask, lsp::WorkspaceDiagnosticReport::Entry entry);
  static void tell(Ask &ask, lsp::WorkspaceDiagnosticReport::Entry entry);
  void flush(Ask &ask, bool all);
  void finish(const AskPtr &ask);
  void hold(const AskPtr &ask);
  void answer(const AskPtr &ask);
  void showProgress(const AskPtr &ask);
  void endProgress(Ask &ask);
  void batch(const AskPtr &ask, std::function<void(compiler::CompilerService &, std::stop_token)> work,
             std::function<void()> done);
  void after(std::chrono::milliseconds delay, const AskPtr &ask, std::function<void()> event);

  Scheduler &scheduler_;
  Wiring wiring_;
  ClientId client_;
  std::list<AskPtr> asks_;
  AskPtr watch_;          ///< Null without one.
  bool answered_ = false; ///< Some request of this client has been.
  /// Shared with what the scheduler still holds: false once this is gone.
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

} // namespace placid::server
