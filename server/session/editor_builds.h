// SPDX-License-Identifier: Apache-2.0
// Builds that an editor has asked for (`placid.build`): their progress as the client shows it, and what the tools said
// as diagnostics of documents, until the next build of the same file or an edit. Carries nothing out: that is handed
// in. Knows neither tools nor the wire. Io thread.
#pragma once

#include "protocol/json.h"
#include "protocol/lsp/types.h"
#include "server/dispatch/reply.h"

#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

namespace placid::server {

/// One `placid build` as it is carried out elsewhere. Callbacks come on the io thread, `done` once and last.
struct EditorBuildRun {
  std::string folder;
  std::vector<std::string> words;
  std::function<void(bool error, const std::string &text)> output;
  std::function<void(std::optional<int> exitCode)> done; ///< Nothing: there was no place for it.
};
using StartEditorBuild = std::function<void(EditorBuildRun, std::stop_token)>;

class EditorBuilds {
public:
  struct Wiring {
    std::function<void(protocol::Json)> send;
    /// What of() has for that document is another list now. The URI is the client's where it has the document open.
    std::function<void(const std::string &uri)> changed;
    StartEditorBuild start; ///< Empty: nothing is built here.
  };
  explicit EditorBuilds(Wiring wiring) : wiring_(std::move(wiring)) {}

  struct Request {
    std::string uri, path; ///< Of the file to build.
    std::string folder;    ///< In which the command stands.
    std::vector<std::string> options;
    protocol::Json token;        ///< The client's, for progress; null without one.
    bool beginsProgress = false; ///< The client shows progress that the server begins.
    bool relatedInformation = true;
    std::set<std::string> unsaved; ///< Documents that show another text than their files, by lsp::documentKey().
  };
  /// Takes the place of an earlier one of the same file. A few run at a time, the others wait here.
  void begin(Request request, Reply reply);
  /// False: no request of that id builds.
  bool cancel(const protocol::Id &id);
  void cancelToken(const protocol::Json &token);
  /// An answer of the client; false when it is not to a request from here.
  bool answered(const protocol::Response &response);
  /// The text has changed: what was said of it stands elsewhere.
  void edited(const std::string &uri);
  /// Something of a build, past or present, may be shown in that document.
  bool concerns(const std::string &uri) const;
  /// Ends all; nothing is answered any more.
  void stop();

  std::vector<lsp::Diagnostic> of(const std::string &uri) const;

private:
  struct Build {
    Request request;
    Reply reply;
    uint64_t number = 0;
    std::stop_source stop;
    bool started = false, shown = false;
    std::string why; ///< Of its cancelling.
    std::string rest, errorText;
    std::set<std::string> kernels, done; ///< By name: what follows a restart of a service elsewhere is said again.
    size_t percentage = 0, told = 0;
    protocol::Json last;                                       ///< `buildFinished`.
    std::map<std::string, std::vector<lsp::Diagnostic>> found; ///< By document.
    std::set<std::string> edited;                              ///< Documents, since it began or before.
  };
  using Builds = std::list<Build>;

  void beginProgress(Build &build);
  void startWaiting();
  void start(Build &build);
  void cancelBuild(uint64_t number, const std::string &why);
  void refuse(Build &build);
  void report(Build &build, const char *kind, const std::string &what);
  void onOutput(uint64_t number, bool error, const std::string &text);
  void onEvent(Build &build, const std::string &line);
  void onDone(uint64_t number, std::optional<int> exitCode);
  Builds::iterator find(uint64_t number);

  Wiring wiring_;
  Builds builds_;
  uint64_t numbers_ = 0;
  /// What the last build of a file found, by that file and then by document, as lsp::documentKey() has them.
  std::map<std::string, std::map<std::string, std::vector<lsp::Diagnostic>>> found_;
  std::map<std::string, std::string> uris_; ///< As they are to be spelled, by document.
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

} // namespace placid::server
