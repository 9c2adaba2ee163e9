// SPDX-License-Identifier: Apache-2.0
#include "server/session/session.h"

#include "compiler/target/arch.h"
#include "protocol/lsp/codec.h"
#include "protocol/lsp/uri.h"
#include "server/dispatch/dispatch.h"
#include "server/handlers/text_sync.h"
#include "server/settings/project_settings.h"
#include "server/store/disk_sources.h"
#include "server/support/log.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace placid::server {

using protocol::ErrorCode;
using protocol::Json;
using protocol::RpcError;

namespace {

Json tokenIn(const Json &params, const char *name) {
  auto token = params.is_object() ? params.find(name) : params.end();
  bool given = params.is_object() && token != params.end() && (token->is_string() || token->is_number());
  return given ? *token : Json(nullptr);
}

/// Of a check: what it was told of, and what was not there. A file that comes into being concerns it, too.
std::vector<std::string> dependencies(const compiler::CheckResult &result, const SourceLog &asked,
                                      const OpenSources &sources) {
  std::vector<std::string> out = result.modulesRead;
  for (const std::vector<std::string> &more : {asked.paths(), sources.askedElsewhere()}) {
    out.insert(out.end(), more.begin(), more.end());
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

} // namespace

Session::Session(Scheduler &scheduler, Outbox &outbox, SessionConfig config)
    : scheduler_(scheduler), outbox_(outbox), config_(std::move(config)), clientId_(scheduler.newClient()),
      workspace_(scheduler, {[this] { return workspaceView(); }, [this](const Json &message) { send(message); }}) {}

Progress::Wiring Session::progressWiring() {
  Progress::Wiring out;
  out.pending = [this]() -> std::optional<Progress::Pending> {
    std::optional<Progress::Pending> oldest;
    for (const Document *document : documents_.all()) {
      std::optional<std::chrono::milliseconds> age = scheduler_.unansweredFor(document->id);
      if (age && (!oldest || *age > oldest->age)) {
        std::string path = lsp::displayPath(document->uri);
        oldest = {"checking " + path.substr(path.rfind('/') + 1), *age};
      }
    }
    return oldest;
  };
  out.send = [this](const Json &message) { send(message); };
  out.after = [this](std::chrono::milliseconds delay, std::function<void()> event) {
    scheduler_.loop().after(delay, [self = self_, event = std::move(event)] {
      if (*self) {
        event();
      }
    });
  };
  return out;
}

EditorBuilds::Wiring Session::buildWiring() {
  EditorBuilds::Wiring out;
  out.send = [this](const Json &message) { send(message); };
  out.changed = [this](const std::string &uri) { publishBuilt(uri); };
  out.start = config_.startBuild;
  return out;
}

/// What builds have found in that document is another list now.
void Session::publishBuilt(const std::string &uri) {
  const Document *open = documents_.find(uri);
  if (open && !client_.pullsDiagnostics) {
    auto checked = checked_.find(lsp::documentKey(uri));
    if (checked != checked_.end() && checked->second.text == open->text) {
      publish(checked->second.said);
    }
    return; // of another text nothing has been said yet: what its check says comes with what builds say
  }
  // To clients that ask for what checks say, only what builds say is told.
  auto said = unopened_.find(lsp::documentKey(uri));
  publish(open || said == unopened_.end() ? lsp::PublishDiagnosticsParams{open ? open->uri : uri, std::nullopt, {}}
                                          : said->second);
}

/// Those of the session in front of the client's own, which win.
std::vector<std::string> Session::buildOptions(const std::vector<std::string> &given) const {
  const compiler::Options &own = config_.options;
  auto has = [&](const std::string &begin) {
    return std::any_of(given.begin(), given.end(), [&](const std::string &one) { return one.starts_with(begin); });
  };
  std::vector<std::string> out;
  if (!own.arch.empty() && !has("--arch=")) {
    out.push_back("--arch=" + own.arch);
  }
  if (!own.planner.empty()) {
    out.push_back("--planner=" + own.planner);
  }
  for (const auto &[name, value] : own.defines) {
    if (!has("--define=" + name + "=")) {
      out.push_back("--define=" + name + "=" + value);
    }
  }
  if (!has("--entry=")) {
    for (const std::string &entry : own.entries) {
      out.push_back("--entry=" + entry);
    }
  }
  out.insert(out.end(), given.begin(), given.end());
  return out;
}

bool Session::isSaved(const Document &document) const {
  return document.text && config_.savedText(document.text->path, &document.text->text) == SavedText::Same;
}

void Session::opened(const Document &document) {
  workspace_.taken(document.uri);
  auto said = unopened_.find(lsp::documentKey(document.uri));
  if (said != unopened_.end()) {
    if (said->second.uri != document.uri) {
      publishAlone({said->second.uri, std::nullopt, {}});
    }
    unopened_.erase(said);
  }
  watchWorkspace();
  if (builds_.concerns(document.uri) && !isSaved(document)) {
    builds_.edited(document.uri);
  }
}

void Session::build(const std::string &uri, std::vector<std::string> options, Reply reply) {
  const Document *document = documents_.find(uri);
  std::string path = lsp::displayPath(uri);
  if (!path.starts_with('/') || config_.savedText(path, nullptr) == SavedText::NoFile) {
    std::move(reply).fail({ErrorCode::RequestFailed, "placid.build: " + path + " is no file"});
    return;
  }
  if (document && !isSaved(*document)) {
    std::move(reply).fail({ErrorCode::RequestFailed, "placid.build: save " + path + " first: a build reads files"});
    return;
  }
  EditorBuilds::Request request;
  request.uri = document ? document->uri : uri;
  request.path = path;
  request.folder = path.substr(0, std::max<size_t>(path.rfind('/'), 1));
  for (const std::string &root : config_.options.roots) {
    if (path.starts_with(root + "/")) {
      request.folder = root;
      break;
    }
  }
  request.options = buildOptions(options);
  request.token = std::exchange(token_, nullptr);
  request.beginsProgress = client_.showsProgress;
  request.relatedInformation = client_.relatedInformation;
  // What tools say of a module is said of its file: not in a document that shows another text.
  for (const Document *other : documents_.all()) {
    if (!isSaved(*other)) {
      request.unsaved.insert(lsp::documentKey(other->uri));
    }
  }
  builds_.begin(std::move(request), std::move(reply));
}

void Session::showProgress(Running &running, uint64_t ticket) {
  running.token = std::exchange(token_, nullptr);
  if (running.token.is_null()) {
    return;
  }
  scheduler_.loop().after(Progress::kPatience, [self = self_, ticket] {
    auto found = *self ? (*self)->running_.find(ticket) : std::map<uint64_t, Running>::iterator();
    if (*self && found != (*self)->running_.end()) {
      found->second.shown = true;
      (*self)->send(progressMessage(found->second.token, "begin"));
    }
  });
}

void Session::endProgress(const Running &running) {
  if (running.shown) {
    send(progressMessage(running.token, "end"));
  }
}

Session::~Session() {
  disconnect();
  scheduler_.forget(clientId_);
  *self_ = nullptr;
}

SendMessage Session::sender() {
  return [self = self_](const Json &message) {
    if (*self) {
      (*self)->send(message);
    }
  };
}

void Session::send(const Json &message, std::string_view key) {
  if (connected_) {
    outbox_.send(protocol::encode(message), key);
  }
}

void Session::notify(std::string_view method, Json params, std::string_view key) {
  send(protocol::notificationMessage(method, std::move(params)), key);
}

void Session::showMessage(lsp::MessageType type, std::string message) {
  notify("window/showMessage", lsp::toJson(lsp::ShowMessageParams{type, std::move(message)}));
}

void Session::receive(std::string_view body) {
  if (exitCode_) {
    return;
  }
  protocol::Incoming incoming = protocol::decodeMessage(body);
  std::shared_ptr<Batch> batch = incoming.batch ? std::make_shared<Batch>(sender()) : nullptr;
  for (const protocol::Message &message : incoming.messages) {
    handle(message, batch);
    const auto *invalid = std::get_if<protocol::Invalid>(&message);
    if (invalid && state_ == State::Running && body.find("textDocument/did") != std::string_view::npos) {
      textLost(*this, nullptr);
    }
  }
  batch.reset(); // what it has collected leaves before the session does
  if (exitCode_) {
    disconnect();
  }
}

void Session::receiveOversize(uint64_t bytes) {
  Reply({}, sender())
      .fail({ErrorCode::InvalidRequest,
             "a message of " + std::to_string(bytes) + " bytes is beyond what this server takes"});
  if (state_ == State::Running) {
    textLost(*this, nullptr); // only texts are so long
  }
}

void Session::handle(const protocol::Message &message, const std::shared_ptr<Batch> &batch) {
  if (const auto *invalid = std::get_if<protocol::Invalid>(&message)) {
    Reply(invalid->id, sender(), batch).fail(invalid->error);
  } else if (const auto *call = std::get_if<protocol::Call>(&message)) {
    if (!exitCode_) {
      handleCall(*call, batch);
    }
  }
  if (const auto *response = std::get_if<protocol::Response>(&message)) {
    if (!progress_.answered(*response)) { // the only requests that clients get
      builds_.answered(*response);
    }
  }
}

void Session::handleCall(const protocol::Call &call, const std::shared_ptr<Batch> &batch) {
  const MethodRow *row = findMethod(call.method);
  if (!call.id) {
    // Notifications are never answered. `exit` always counts; what comes outside the running state is dropped.
    if (row && row->notify && (state_ == State::Running || call.method == "exit")) {
      row->notify(*this, call.params);
    }
    return;
  }
  Reply reply(*call.id, sender(), batch);
  if (state_ == State::New && call.method != "initialize") {
    std::move(reply).fail({ErrorCode::ServerNotInitialized, "`initialize` comes first"});
  } else if (state_ == State::ShutDown) {
    std::move(reply).fail({ErrorCode::InvalidRequest, "the session is shut down"});
  } else if (!row || !row->request) {
    std::move(reply).fail({ErrorCode::MethodNotFound, "`" + call.method + "` is not a request of this server"});
  } else if (state_ == State::Running && call.method == "initialize") {
    std::move(reply).fail({ErrorCode::InvalidRequest, "the session is initialized already"});
  } else {
    token_ = tokenIn(call.params, "workDoneToken");
    partialToken_ = tokenIn(call.params, "partialResultToken");
    row->request(*this, call.params, std::move(reply));
    token_ = nullptr;
    partialToken_ = nullptr;
  }
}

void Session::initialize(const lsp::InitializeParams &params) {
  state_ = State::Running;
  client_ = params.capabilities;
  if (client_.showsProgress) {
    progress_.enable();
  }
  std::optional<target::Arch> arch = target::parseArch(params.options.arch);
  if (config_.options.arch.empty() && arch) {
    config_.options.arch = target::archName(*arch);
  }
  config_.options.defines.insert(params.options.defines.begin(), params.options.defines.end());
  config_.watchesWorkspace &= params.options.workspaceDiagnostics && !client_.pullsDiagnostics;
  setFolders(params.folders, {});
  if (params.processId && config_.watchProcess) {
    config_.watchProcess(*params.processId);
  }
}

void Session::shutdown() {
  state_ = State::ShutDown;
  workspace_.end();
  for (const Document &document : documents_.clear()) {
    scheduler_.close(document.id);
  }
  for (Settling &waiting : std::exchange(settling_, {})) {
    std::move(waiting.reply).fail({ErrorCode::RequestCancelled, "the session ended"});
  }
}

void Session::exit() { exitCode_ = state_ == State::ShutDown ? 0 : 1; }

void Session::disconnect() {
  connected_ = false;
  exitCode_ = exitCode_.value_or(1);
  for (auto &[ticket, running] : running_) {
    running.stop.request_stop();
    std::move(running.reply).fail({ErrorCode::RequestCancelled, "the session ended"}); // goes nowhere: not connected
  }
  running_.clear();
  settling_.clear();
  workspace_.end();
  builds_.stop();
  for (const Document &document : documents_.clear()) {
    scheduler_.close(document.id);
  }
}

std::shared_ptr<OpenSources> Session::openSources() const {
  return std::make_shared<OpenSources>(documents_.texts(), config_.options.sources);
}

compiler::Options Session::compileOptions() const {
  compiler::Options options = config_.options;
  options.sources = openSources();
  return options;
}

WorkspaceView Session::workspaceView() const {
  WorkspaceView out;
  for (const Document *one : documents_.all()) {
    if (!isSettingsFile(one->text->path)) {
      out.open.push_back({one->uri, one->version, one->text});
    }
  }
  out.options = compileOptions();
  out.publish = publishOptions();
  out.importsPl = config_.importsPl;
  return out;
}

void Session::askWorkspace(const lsp::WorkspaceDiagnosticParams &params, Reply reply) {
  workspace_.ask(params, {std::exchange(token_, nullptr), std::exchange(partialToken_, nullptr)}, std::move(reply));
}

void Session::schedule(const Document &document) {
  workspace_.changed();
  check(document);
  checkDependents(document);
}

void Session::checkDependents(const Document &document) {
  std::vector<Document *> dependents = documents_.dependents(document);
  if (!dependents.empty()) {
    refreshViews(true);
  }
  if (client_.pullsDiagnostics) {
    // Which documents import which is learnt by checks; without them every other one may be touched.
    documents_.forgetLearnt(document.id);
    return;
  }
  for (Document *dependent : dependents) {
    if (dependent->text) {
      dependent->memo = std::make_shared<InspectMemo>();
      check(*dependent);
    }
  }
}

void Session::checkAgain(Document &document) {
  document.memo = std::make_shared<InspectMemo>();
  if (document.text) {
    check(document, /*again=*/true);
  }
}

void Session::check(const Document &document, bool again) {
  if (client_.pullsDiagnostics) {
    scheduler_.edited(document.id);
    return; // it asks when it wants them
  }
  CheckJob job;
  job.text = document.text;
  job.options = config_.options;
  auto asked = std::make_shared<SourceLog>();
  std::shared_ptr<OpenSources> sources = openSources();
  job.options.sources = std::make_shared<RecordedSources>(sources, asked);
  job.client = clientId_;
  job.deliver = [self = self_, published = PublishedDocument{document.text, document.uri}, version = document.version,
                 again, asked, sources](const compiler::CheckResult &result) {
    if (!*self) {
      return;
    }
    Session &session = **self;
    if (Document *open = session.documents_.find(published.uri)) {
      open->modules = dependencies(result, *asked, *sources);
    }
    lsp::PublishDiagnosticsParams found{published.uri, version,
                                        toLsp(result.diagnostics, published, session.publishOptions())};
    Checked &known = session.checked_[lsp::documentKey(published.uri)];
    bool said = again && known.text == published.text && known.said.version == version &&
                lsp::toJson(known.said) == lsp::toJson(found);
    known = {published.text, found};
    if (!said) {
      session.publish(std::move(found));
    }
    session.answerSettled();
  };
  scheduler_.update(document.id, std::move(job));
  progress_.started();
}

void Session::forget(const Document &document) {
  workspace_.changed();
  scheduler_.close(document.id);
  checked_.erase(lsp::documentKey(document.uri));
  builds_.edited(document.uri);
  publish({document.uri, std::nullopt, {}});
  checkDependents(document); // they see the saved file again
  answerSettled();
}

void Session::publish(lsp::PublishDiagnosticsParams params) {
  std::vector<lsp::Diagnostic> built = builds_.of(params.uri);
  params.diagnostics.insert(params.diagnostics.end(), built.begin(), built.end());
  publishAlone(params);
}

void Session::publishAlone(const lsp::PublishDiagnosticsParams &params) {
  std::string key = "publish " + params.uri;
  notify("textDocument/publishDiagnostics", lsp::toJson(params), key);
}

void Session::startQuery(Query query, Reply reply) {
  const Document *document = query.wholeWorkspace ? nullptr : documents_.find(query.uri);
  if (!document && !query.wholeWorkspace && !query.fromDisk) {
    std::move(reply).fail({ErrorCode::InvalidParams, "the document is not open: " + query.uri});
    return;
  }
  if (document && !document->text) {
    std::move(reply).fail({ErrorCode::RequestFailed, "the document's text was lost: save it or open it again"});
    return;
  }
  if (document && isSettingsFile(document->text->path)) {
    std::move(reply).ok(query.ofSettings); // it is no source: all that there is to say of it are its faults
    return;
  }
  if (running_.size() >= kMaxPending) {
    std::move(reply).fail({ErrorCode::RequestFailed, "too many requests wait for an answer"});
    return;
  }
  uint64_t ticket = ++lastTicket_;
  Snapshot snapshot;
  snapshot.options = compileOptions();
  snapshot.shelf = shelf_;
  snapshot.client = client_;
  snapshot.publish = publishOptions();
  for (const Document *one : documents_.all()) {
    if (!isSettingsFile(one->text->path)) {
      snapshot.open.push_back({one->uri, one->version, one->text, one->memo});
    }
  }
  if (document) {
    snapshot.uri = document->uri;
    snapshot.text = document->text;
    snapshot.memo = document->memo;
    snapshot.tokens = document->tokens;
  }
  RequestJob job;
  Running &running = running_.emplace(ticket, Running{std::move(reply), {}}).first->second;
  showProgress(running, ticket);
  job.stop = running.stop.get_token();
  job.client = clientId_;
  job.document = document ? document->id : DocumentId{};
  job.urgent = query.urgent;
  job.work = [snapshot = std::move(snapshot), work = std::move(query.work)](compiler::CompilerService &compiler,
                                                                            std::stop_token stop) mutable {
    snapshot.compiler = &compiler;
    work(snapshot, std::move(stop));
  };
  job.done = [self = self_, ticket, answer = std::move(query.answer)] {
    if (!*self) {
      return;
    }
    auto found = (*self)->running_.find(ticket);
    if (found == (*self)->running_.end()) {
      return; // cancelled: answered already
    }
    (*self)->endProgress(found->second);
    Reply given = std::move(found->second.reply);
    (*self)->running_.erase(found);
    answer(std::move(given));
  };
  scheduler_.request(std::move(job));
}

void Session::cancel(const protocol::Id &id) {
  if (workspace_.cancel(id)) {
    return;
  }
  if (builds_.cancel(id)) {
    return; // answered when its tools have ended
  }
  for (auto entry = running_.begin(); entry != running_.end(); ++entry) {
    if (entry->second.reply.id() == id) {
      entry->second.stop.request_stop();
      endProgress(entry->second);
      std::move(entry->second.reply).fail({ErrorCode::RequestCancelled, "cancelled by the client"});
      running_.erase(entry);
      return;
    }
  }
  for (auto waiting = settling_.begin(); waiting != settling_.end(); ++waiting) {
    if (waiting->reply.id() == id) {
      Reply given = std::move(waiting->reply);
      settling_.erase(waiting);
      std::move(given).fail({ErrorCode::RequestCancelled, "cancelled by the client"});
      return;
    }
  }
}

void Session::whenSettled(const lsp::SettledParams &params, Reply reply) {
  if (!documents_.find(params.uri)) {
    std::move(reply).fail({ErrorCode::InvalidParams, "the document is not open: " + params.uri});
    return;
  }
  if (settling_.size() >= kMaxPending) {
    std::move(reply).fail({ErrorCode::RequestFailed, "too many requests wait for an answer"});
    return;
  }
  settling_.push_back({params.uri, std::move(reply)});
  answerSettled();
}

void Session::answerSettled() {
  progress_.finished();
  std::list<Settling> waiting = std::exchange(settling_, {});
  for (Settling &entry : waiting) {
    const Document *document = documents_.find(entry.uri);
    if (document && document->text && !scheduler_.settled(document->id)) {
      settling_.push_back(std::move(entry));
      continue;
    }
    Json version = document && document->version ? Json(*document->version) : Json(nullptr);
    std::move(entry.reply).ok({{"uri", entry.uri}, {"version", std::move(version)}});
  }
}

} // namespace placid::server
