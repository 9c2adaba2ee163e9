// SPDX-License-Identifier: Apache-2.0
#include "clients/cli/remote_command.h"

#include "clients/cli/daemon_client.h"
#include "protocol/daemon/terminal.h"
#include "protocol/jsonrpc/message.h"

#include <nlohmann/json.hpp>

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace placid::cli {

using protocol::Json;

namespace {

constexpr int kOk = 0;
constexpr int kUsage = 2;
constexpr int kInternal = 3;

std::string request(int id, std::string_view method, Json params) {
  Json message = {{"jsonrpc", "2.0"}, {"id", id}, {"method", method}};
  message["params"] = std::move(params);
  return protocol::encode(message);
}

constexpr std::string_view kErase = "\r\x1b[K";
/// The command has written a line to standard error that has no end: on a terminal it is drawn over.
volatile std::sig_atomic_t inLine = 0;

/// The command's own end, which would take the line away, does not reach this terminal any more.
void endOfLine(int number) {
  if (inLine != 0) {
    [[maybe_unused]] ssize_t wrote = ::write(STDERR_FILENO, kErase.data(), kErase.size());
  }
  std::signal(number, SIG_DFL);
  std::raise(number);
}

void tidyOnSignals() {
  for (int number : {SIGINT, SIGTERM, SIGHUP}) {
    if (std::signal(number, endOfLine) == SIG_IGN) {
      std::signal(number, SIG_IGN);
    }
  }
}

int complain(const std::string &why, int code) {
  if (inLine != 0 && ::isatty(STDERR_FILENO) == 1) {
    writeAll(STDERR_FILENO, kErase);
    inLine = 0;
  }
  writeAll(STDERR_FILENO, "placid: " + why + "\n");
  return code;
}

std::string currentFolder() {
  char path[PATH_MAX];
  return ::getcwd(path, sizeof path) ? std::string(path) : std::string("/");
}

/// Asks and waits for the answer; what comes before it is dropped.
std::optional<Json> ask(DaemonClient &client, std::string_view method) {
  if (!client.send(request(1, method, nullptr))) {
    return std::nullopt;
  }
  auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (std::optional<std::string> body = client.receive(deadline)) {
    for (const protocol::Message &message : protocol::decodeMessage(*body).messages) {
      if (const auto *response = std::get_if<protocol::Response>(&message)) {
        return response->error ? std::nullopt : std::optional(response->result);
      }
    }
  }
  return std::nullopt;
}

std::string megabytes(const Json &bytes) {
  char text[64];
  std::snprintf(text, sizeof text, "%.1f MB", bytes.is_number() ? bytes.get<double>() / (1 << 20) : 0.0);
  return text;
}

std::string statusText(const Json &status) {
  auto show = [](const Json &value) { return value.is_string() ? value.get<std::string>() : value.dump(); };
  std::string out = "daemon " + show(status.value("pid", Json())) + ", version " +
                    show(status.value("version", Json())) + ", up " + show(status.value("age", Json())) + " s, " +
                    megabytes(status.value("memory", Json())) + (status.value("draining", false) ? ", ending" : "") +
                    "\n";
  out += "socket " + show(status.value("socket", Json())) + "\n";
  Json listen = status.value("listen", Json::object());
  for (const auto &[name, address] : listen.items()) {
    out += name + " " + show(address) + "\n";
  }
  for (const Json &session : status.value("sessions", Json::array())) {
    out += "session " + show(session.value("role", Json())) + ", " + show(session.value("age", Json())) + " s, " +
           show(session.value("pending", Json())) + " pending\n";
  }
  for (const Json &worker : status.value("workers", Json::array())) {
    out += "worker " + show(worker.value("pid", Json())) + ", " + show(worker.value("age", Json())) + " s, " +
           megabytes(worker.value("memory", Json())) + ", " + show(worker.value("calls", Json())) + " calls, " +
           show(worker.value("restarts", Json())) + " restarts" + (worker.value("busy", false) ? ", busy" : "") +
           (worker.value("background", false) ? ", in the background" : "") + "\n";
  }
  out += "work";
  Json counters = status.value("counters", Json::object());
  for (const auto &[name, count] : counters.items()) {
    out += " " + name + " " + show(count);
  }
  return out + "\n";
}

} // namespace

bool writeAll(int fd, std::string_view text) {
  while (!text.empty()) {
    ssize_t wrote = ::write(fd, text.data(), text.size());
    if (wrote < 0 && errno == EINTR) {
      continue;
    }
    if (wrote <= 0) {
      return false;
    }
    text.remove_prefix(static_cast<size_t>(wrote));
  }
  return true;
}

protocol::Surroundings ownSurroundings() {
  protocol::Surroundings out;
  mode_t mask = ::umask(0);
  ::umask(mask);
  out.umask = mask;
  const char *tmpdir = std::getenv("TMPDIR");
  out.tmpdir = tmpdir ? tmpdir : "";
  for (std::string_view name : protocol::kCommandEnvironment) {
    if (const char *value = std::getenv(std::string(name).c_str())) {
      out.environment[std::string(name)] = value;
    }
  }
  return out;
}

int runInDaemon(const std::string &server, const std::vector<std::string> &words) {
  protocol::CommandRun run;
  run.words = words;
  run.cwd = currentFolder();
  const char *noColor = std::getenv("NO_COLOR");
  run.color = ::isatty(STDOUT_FILENO) == 1 && (!noColor || !*noColor);
  run.columns = protocol::terminalColumns(STDERR_FILENO, std::getenv("TERM"));
  run.errorColor = run.columns != 0 && (!noColor || !*noColor);
  static_cast<protocol::Surroundings &>(run) = ownSurroundings();
  if (run.columns != 0) {
    tidyOnSignals();
  }
  protocol::Hello hello;
  hello.role = protocol::Role::Build;
  bool writable = true;
  bool closedEarly = false;
  // A daemon that ends under a command has not begun to answer it, or everything is lost: asked again only before
  // output.
  for (int attempt = 0; attempt < 2; ++attempt) {
    std::string error;
    DaemonClient client = DaemonFinder(server).connect(hello, true, error);
    if (!client.connected()) {
      return complain(error, kNoDaemon);
    }
    bool said = false;
    if (!client.send(request(1, protocol::kCommandMethod, protocol::toJson(run)))) {
      continue;
    }
    while (std::optional<std::string> body = client.receive()) {
      for (const protocol::Message &message : protocol::decodeMessage(*body).messages) {
        if (const auto *call = std::get_if<protocol::Call>(&message)) {
          protocol::Result<protocol::CommandOutput> output = protocol::commandOutputFromJson(call->params);
          if (output.has_error()) {
            continue;
          }
          said = true;
          if (output->error && !output->text.empty()) {
            inLine = output->text.back() != '\n' && !output->text.ends_with(kErase) ? 1 : 0;
          }
          if (!writeAll(output->error ? STDERR_FILENO : STDOUT_FILENO, output->text)) {
            closedEarly |= errno == EPIPE;
            writable = writable && errno == EPIPE;
          }
        } else if (const auto *response = std::get_if<protocol::Response>(&message)) {
          if (response->error) {
            return complain(response->error->message, kNoDaemon);
          }
          Json code = response->result.is_object() ? response->result.value("exitCode", Json()) : Json();
          int exitCode = code.is_number_integer() ? code.get<int>() : kInternal;
          return !writable && exitCode == kOk ? kUsage : exitCode;
        }
      }
      if (closedEarly && said) {
        // Nobody reads on; the exit code is still worth having, unless the command goes on for ever.
        bool watches = std::find(words.begin(), words.end(), "--watch") != words.end();
        if (watches) {
          return kOk;
        }
      }
    }
    if (said) {
      return complain("the daemon ended in the middle of its answer", kInternal);
    }
  }
  return complain("the daemon ended under this command twice: try --no-daemon", kInternal);
}

int runStatus(const std::string &server, const std::vector<std::string> &arguments) {
  bool json = arguments.size() == 1 && arguments[0] == "--json";
  if (!arguments.empty() && !json) {
    return complain("status takes --json and nothing else\nsee: placid --help", kUsage);
  }
  protocol::Hello hello;
  hello.role = protocol::Role::Admin;
  std::string error;
  DaemonClient client = DaemonFinder(server).connect(hello, false, error);
  std::optional<Json> status = client.connected() ? ask(client, "admin/status") : std::nullopt;
  if (!status) {
    if (json) {
      writeAll(STDOUT_FILENO, "{\"running\":false}\n");
    }
    return complain(error.empty() ? "the daemon does not answer" : error, kNoDaemon);
  }
  return writeAll(STDOUT_FILENO, json ? status->dump() + "\n" : statusText(*status)) ? kOk : kUsage;
}

int runStop(const std::string &server, const std::vector<std::string> &arguments) {
  if (!arguments.empty()) {
    return complain("stop takes no arguments\nsee: placid --help", kUsage);
  }
  protocol::Hello hello;
  hello.role = protocol::Role::Admin;
  std::string error;
  DaemonClient client = DaemonFinder(server).connect(hello, false, error);
  if (!client.connected()) {
    writeAll(STDOUT_FILENO, "no daemon runs\n");
    return kOk;
  }
  int64_t pid = client.welcome().pid;
  if (!ask(client, "admin/stop")) {
    return complain("the daemon does not answer", kNoDaemon);
  }
  // It has ended when the connection has.
  auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (client.receive(deadline)) {
  }
  writeAll(STDOUT_FILENO, "stopped the daemon " + std::to_string(pid) + "\n");
  return kOk;
}

} // namespace placid::cli
