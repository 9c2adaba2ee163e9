// SPDX-License-Identifier: Apache-2.0
#include "server/session/workspace_diagnostics.h"

#include "protocol/lsp/features_codec.h"
#include "protocol/lsp/uri.h"
#include "server/session/progress.h"
#include "server/store/module_files.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

namespace placid::server {

using protocol::ErrorCode;
using protocol::Json;
using Entry = lsp::WorkspaceDiagnosticReport::Entry;

namespace {

/// Reports that travel together as one partial result.
constexpr size_t kReportsAtOnce = 32;
/// Progress is told in steps of so many percent.
constexpr size_t kStep = 5;

/// The files of a workspace, and a digest that says whether one of them has changed.
struct Listing {
  std::vector<std::string> paths;
  uint64_t stamp = 0;
};

/// Of every path, size and time of change.
uint64_t stampOf(const std::vector<std::string> &paths) {
  uint64_t hash = 0xcbf29ce484222325ULL;
  auto add = [&hash](uint64_t value) { hash = (hash ^ value) * 0x100000001b3ULL; };
  for (const std::string &path : paths) {
    for (char c : path) {
      add(static_cast<unsigned char>(c));
    }
    std::error_code error;
    add(std::filesystem::file_size(path, error));
    add(static_cast<uint64_t>(std::filesystem::last_write_time(path, error).time_since_epoch().count()));
  }
  return hash;
}

} // namespace

std::string resultIdOf(const std::vector<lsp::Diagnostic> &items) {
  // FNV-1a over the bytes of the answer: no secret, but the same everywhere.
  uint64_t hash = 0xcbf29ce484222325ULL;
  for (const lsp::Diagnostic &item : items) {
    for (char c : lsp::toJson(item).dump(-1, ' ', false, Json::error_handler_t::replace)) {
      hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    }
  }
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  for (int shift = 60; shift >= 0; shift -= 4) {
    out += kDigits[(hash >> shift) & 15U];
  }
  return out;
}

/// What a job has found in one file.
struct WorkspaceDiagnostics::Found {
  bool shown = false; ///< Else it cannot be read, or has nothing to do with PL.
  bool stopped = false;
  std::vector<lsp::Diagnostic> items;
};

struct WorkspaceDiagnostics::Ask {
  Ask(Tokens given, Reply answer) : tokens(std::move(given)), reply(std::move(answer)) {}
  explicit Ask(Tell how) : tell(std::move(how)) {}

  struct File {
    std::string uri;
    std::string path;
    std::optional<int64_t> version;
    source::SourcePtr text; ///< Of an open document.
    std::shared_ptr<Found> found;
  };

  Tokens tokens;
  std::optional<Reply> reply;
  Tell tell; ///< Of a watch, which has no reply.
  std::stop_source stop;
  /// Result ids that the client knows, by URI; of a watch, those of files with faults.
  std::map<std::string, std::string> told;
  WorkspaceView view;
  std::vector<File> files; ///< By URI.
  size_t next = 0;         ///< The first that no job has been started for.
  size_t noted = 0;        ///< Files before this one are in the report.
  size_t running = 0;
  std::map<std::string, Entry> report; ///< What has not been sent, by URI.
  bool news = false;                   ///< Something differs from what the client knows.
  bool dirty = false;                  ///< Something has changed since the start.
  bool held = false;                   ///< It waits for a change.
  bool collecting = false;             ///< A change was seen; it starts soon.
  bool over = false;
  std::optional<Listing> listing; ///< Of a watch: the last one, while it holds.
  bool looksAgain = true;
  bool begun = false; ///< Progress is shown.
  size_t percent = 0;
  uint64_t round = 0;
};

WorkspaceDiagnostics::WorkspaceDiagnostics(Scheduler &scheduler, Wiring wiring)
    : scheduler_(scheduler), wiring_(std::move(wiring)), client_(scheduler.newClient()) {}

WorkspaceDiagnostics::~WorkspaceDiagnostics() {
  end();
  *alive_ = false;
  scheduler_.forget(client_);
}

void WorkspaceDiagnostics::after(std::chrono::milliseconds delay, const AskPtr &ask, std::function<void()> event) {
  scheduler_.loop().after(delay, [alive = alive_, ask, event = std::move(event)] {
    if (*alive && !ask->over) {
      event();
    }
  });
}

void WorkspaceDiagnostics::batch(const AskPtr &ask,
                                 std::function<void(compiler::CompilerService &, std::stop_token)> work,
                                 std::function<void()> done) {
  RequestJob job;
  job.client = client_;
  job.stop = ask->stop.get_token();
  job.work = std::move(work);
  job.done = [alive = alive_, ask, done = std::move(done)] {
    if (*alive && !ask->over) {
      done();
    }
  };
  scheduler_.batch(std::move(job));
}

void WorkspaceDiagnostics::ask(const lsp::WorkspaceDiagnosticParams &params, Tokens tokens, Reply reply) {
  AskPtr made = std::make_shared<Ask>(std::move(tokens), std::move(reply));
  made->told = params.previousResultIds;
  // Who asks anew does not wait for what it asked before; of those that still look at files there are only so many.
  for (const AskPtr &before : std::list<AskPtr>(asks_)) {
    if (before->held) {
      answer(before);
    }
  }
  if (asks_.size() >= kMaxAsks) {
    AskPtr oldest = asks_.front();
    oldest->over = true;
    oldest->stop.request_stop();
    asks_.pop_front();
    endProgress(*oldest);
    std::move(*oldest->reply).fail({ErrorCode::RequestFailed, "too many requests of this kind wait for an answer"});
  }
  asks_.push_back(made);
  if (!made->tokens.work.is_null()) {
    after(Progress::kPatience, made, [this, made] { showProgress(made); });
  }
  start(made);
}

void WorkspaceDiagnostics::showProgress(const AskPtr &ask) {
  if (!ask->held && !ask->tokens.work.is_null()) {
    ask->begun = true;
    wiring_.send(progressMessage(ask->tokens.work, "begin", "checking the workspace", ask->percent));
  }
}

void WorkspaceDiagnostics::endProgress(Ask &ask) {
  if (std::exchange(ask.begun, false)) {
    wiring_.send(progressMessage(std::exchange(ask.tokens.work, nullptr), "end"));
  }
}

void WorkspaceDiagnostics::watch(Tell tell, bool unseen) {
  watch_ = std::make_shared<Ask>(std::move(tell));
  watch_->looksAgain = unseen;
  watch_->held = true;
  collect(watch_);
}

void WorkspaceDiagnostics::taken(const std::string &uri) {
  if (watch_) {
    std::erase_if(watch_->told,
                  [key = lsp::documentKey(uri)](const auto &one) { return lsp::documentKey(one.first) == key; });
  }
}

/// `unseen`: nothing is known to have changed.
void WorkspaceDiagnostics::start(const AskPtr &ask, bool unseen) {
  ask->view = wiring_.view();
  ask->files.clear();
  ask->next = ask->noted = ask->running = 0;
  ask->held = ask->dirty = ask->collecting = false;
  ++ask->round;
  if (ask->listing && !unseen) {
    listed(ask, ask->listing->paths);
    return;
  }
  auto found = std::make_shared<Listing>();
  batch(
      ask,
      [found, roots = ask->view.options.roots](compiler::CompilerService &, std::stop_token) {
        found->paths = pythonFiles(roots, kMaxFiles);
        found->stamp = stampOf(found->paths);
      },
      [this, ask, found, unseen] {
        bool same = unseen && ask->listing && ask->listing->stamp == found->stamp;
        if (ask->tell) {
          ask->listing = *found;
        }
        if (same) {
          rest(ask);
        } else {
          listed(ask, found->paths);
        }
      });
}

void WorkspaceDiagnostics::listed(const AskPtr &ask, const std::vector<std::string> &paths) {
  std::map<std::string, Ask::File> files; // by path
  for (const OpenText &open : ask->view.open) {
    files[open.text->path] = {open.uri, open.text->path, open.version, open.text, nullptr};
  }
  for (const std::string &path : paths) {
    files.try_emplace(path, Ask::File{lsp::fileUri(path), path, std::nullopt, nullptr, nullptr});
  }
  for (auto &[path, file] : files) {
    if (!ask->tell || !file.text) { // what is open is checked as it is typed
      ask->files.push_back(std::move(file));
    }
  }
  startMore(ask);
}

void WorkspaceDiagnostics::startMore(const AskPtr &ask) {
  while (ask->next < ask->files.size() && ask->running < scheduler_.lanes()) {
    size_t index = ask->next++;
    ++ask->running;
    auto found = std::make_shared<Found>();
    const Ask::File &file = ask->files[index];
    auto work = [found, uri = file.uri, path = file.path, given = file.text, options = ask->view.options,
                 publish = ask->view.publish,
                 importsPl = ask->view.importsPl](compiler::CompilerService &compiler, std::stop_token stop) {
      source::SourcePtr text = given ? given : options.sources ? options.sources->load(path) : nullptr;
      if (!text || (!given && importsPl && !importsPl(text->text))) {
        return;
      }
      compiler::CheckResult result = compiler.check(text, options, std::move(stop));
      found->shown = true;
      found->stopped = result.stopped;
      found->items = toLsp(result.diagnostics, {text, uri}, publish);
    };
    // A job that ends where it is started may come back here first: what it finds is of this round or of none.
    batch(ask, std::move(work), [this, ask, index, found, round = ask->round] {
      if (ask->round == round) {
        checked(ask, index, found);
      }
    });
  }
  if (ask->running == 0 && ask->noted == ask->files.size() && !ask->held) {
    finish(ask);
  }
}

void WorkspaceDiagnostics::checked(const AskPtr &ask, size_t index, std::shared_ptr<Found> found) {
  --ask->running;
  ask->files[index].found = std::move(found);
  while (ask->noted < ask->files.size() && ask->files[ask->noted].found) {
    Ask::File &file = ask->files[ask->noted++];
    if (file.found->shown && !file.found->stopped) {
      note(*ask, {file.uri, file.version, {resultIdOf(file.found->items), false, std::move(file.found->items)}});
    }
  }
  flush(*ask, false);
  size_t percent = ask->noted * 100 / ask->files.size();
  if (ask->begun && percent >= ask->percent + kStep) {
    ask->percent = percent;
    wiring_.send(progressMessage(ask->tokens.work, "report",
                                 std::to_string(ask->noted) + " of " + std::to_string(ask->files.size()) + " files",
                                 percent));
  }
  startMore(ask);
}

void WorkspaceDiagnostics::tell(Ask &ask, Entry entry) {
  auto known = ask.told.find(entry.uri);
  bool clean = entry.report.items.empty();
  bool same = known == ask.told.end() ? clean : known->second == entry.report.resultId;
  bool room = known != ask.told.end() || ask.told.size() < kMaxTold;
  if (same || !room || !ask.tell(entry.uri, std::move(entry.report.items))) {
    return;
  }
  if (clean) {
    ask.told.erase(known);
  } else {
    ask.told[entry.uri] = entry.report.resultId;
  }
}

void WorkspaceDiagnostics::note(Ask &ask, Entry entry) {
  if (ask.tell) {
    tell(ask, std::move(entry));
    return;
  }
  auto known = ask.told.find(entry.uri);
  entry.report.unchanged = known != ask.told.end() && known->second == entry.report.resultId;
  if (!entry.report.unchanged) {
    ask.news = true;
    ask.told[entry.uri] = entry.report.resultId;
  }
  auto waiting = ask.report.find(entry.uri);
  if (waiting == ask.report.end()) {
    ask.report.emplace(entry.uri, std::move(entry));
  } else if (!entry.report.unchanged) {
    waiting->second = std::move(entry); // of an earlier round
  }
}

void WorkspaceDiagnostics::flush(Ask &ask, bool all) {
  if (ask.tokens.partial.is_null() || ask.report.empty() || (!all && ask.report.size() < kReportsAtOnce)) {
    return;
  }
  lsp::WorkspaceDiagnosticReport part;
  for (auto &[uri, entry] : std::exchange(ask.report, {})) {
    part.items.push_back(std::move(entry));
  }
  wiring_.send(
      protocol::notificationMessage("$/progress", {{"token", ask.tokens.partial}, {"value", lsp::toJson(part)}}));
}

void WorkspaceDiagnostics::finish(const AskPtr &ask) {
  // What the client knows of and is not here any more has no faults.
  std::vector<std::string> gone;
  for (const auto &[uri, id] : ask->told) {
    bool here = std::any_of(ask->files.begin(), ask->files.end(), [&known = uri](const Ask::File &file) {
      return file.uri == known && file.found && file.found->shown;
    });
    if (!here) {
      gone.push_back(uri);
    }
  }
  for (std::string &uri : gone) {
    note(*ask, {std::move(uri), std::nullopt, {resultIdOf({}), false, {}}});
  }
  if (ask->tell) {
    rest(ask);
  } else if (ask->news || !answered_) {
    answer(ask);
  } else if (ask->dirty) {
    start(ask);
  } else {
    hold(ask);
  }
}

void WorkspaceDiagnostics::hold(const AskPtr &ask) {
  ask->held = true;
  endProgress(*ask); // what it waits for now is somebody's edit
  ask->files.clear();
  ask->next = ask->noted = 0;
  if (!ask->looksAgain) {
    return;
  }
  after(kLookAgain, ask, [this, ask, round = ask->round] {
    if (ask->held && ask->round == round) {
      start(ask, /*unseen=*/true);
    }
  });
}

/// A watch waits; what has changed meanwhile is looked at in a moment.
void WorkspaceDiagnostics::rest(const AskPtr &ask) {
  hold(ask);
  if (ask->dirty) {
    collect(ask);
  }
}

void WorkspaceDiagnostics::collect(const AskPtr &ask) {
  if (ask->held && !ask->collecting) {
    ask->collecting = true;
    after(kCollect, ask, [this, ask] {
      if (ask->held) {
        start(ask);
      }
    });
  }
}

void WorkspaceDiagnostics::changed() {
  std::list<AskPtr> all = asks_;
  if (watch_) {
    all.push_back(watch_);
  }
  for (const AskPtr &ask : all) {
    ask->dirty = true;
    collect(ask);
  }
}

void WorkspaceDiagnostics::filesChanged() {
  if (watch_) {
    watch_->listing.reset();
  }
  changed();
}

void WorkspaceDiagnostics::answer(const AskPtr &ask) {
  ask->over = true;
  answered_ = true;
  asks_.remove(ask);
  flush(*ask, true);
  endProgress(*ask);
  lsp::WorkspaceDiagnosticReport report; // without what has been sent
  for (auto &[uri, entry] : ask->report) {
    report.items.push_back(std::move(entry));
  }
  std::move(*ask->reply).ok(lsp::toJson(report));
}

bool WorkspaceDiagnostics::cancel(const protocol::Id &id) {
  for (const AskPtr &ask : asks_) {
    if (ask->reply->id() == id) {
      AskPtr mine = ask;
      mine->over = true;
      mine->stop.request_stop();
      asks_.remove(mine);
      endProgress(*mine);
      std::move(*mine->reply).fail({ErrorCode::RequestCancelled, "cancelled by the client"});
      return true;
    }
  }
  return false;
}

void WorkspaceDiagnostics::end() {
  for (const AskPtr &ask : std::exchange(asks_, {})) {
    ask->over = true;
    ask->stop.request_stop();
    std::move(*ask->reply).fail({ErrorCode::RequestCancelled, "the session ended"});
  }
  if (watch_) {
    watch_->over = true;
    watch_->stop.request_stop();
    watch_.reset();
  }
}

} // namespace placid::server
