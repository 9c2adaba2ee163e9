// SPDX-License-Identifier: Apache-2.0
#include "server/session/progress.h"

#include <utility>

namespace placid::server {

using protocol::Json;

namespace {

std::string tokenOf(int64_t number) { return "placid/" + std::to_string(number); }

} // namespace

Json progressMessage(Json token, const char *kind, const std::string &what, std::optional<size_t> percent) {
  Json value = {{"kind", kind}};
  if (std::string_view(kind) == "begin") {
    value["title"] = "placid";
  }
  if (!what.empty()) {
    value["message"] = what;
  }
  if (percent) {
    value["percentage"] = *percent;
  }
  return protocol::notificationMessage("$/progress", {{"token", std::move(token)}, {"value", std::move(value)}});
}

void Progress::started() {
  if (state_ == State::Idle) {
    state_ = State::Armed;
    wiring_.after(kPatience, [this] { due(); });
  }
}

void Progress::due() {
  std::optional<Pending> pending = wiring_.pending();
  if (!pending) {
    state_ = State::Idle;
  } else if (pending->age < kPatience) {
    wiring_.after(kPatience - pending->age, [this] { due(); });
  } else {
    state_ = State::Asked;
    ++number_;
    Json ask = protocol::notificationMessage("window/workDoneProgress/create", {{"token", tokenOf(number_)}});
    ask["id"] = tokenOf(number_);
    wiring_.send(std::move(ask));
  }
}

bool Progress::answered(const protocol::Response &response) {
  const auto *id = std::get_if<std::string>(&response.id);
  if (state_ != State::Asked || !id || *id != tokenOf(number_)) {
    return false;
  }
  std::optional<Pending> pending = response.error ? std::nullopt : wiring_.pending();
  state_ = response.error ? State::Off : State::Idle; // who refuses is not asked again
  if (pending) {
    state_ = State::Shown;
    wiring_.send(progressMessage(tokenOf(number_), "begin", pending->what));
  }
  return true;
}

void Progress::finished() {
  if (state_ == State::Shown && !wiring_.pending()) {
    state_ = State::Idle;
    wiring_.send(progressMessage(tokenOf(number_), "end"));
  }
}

} // namespace placid::server
