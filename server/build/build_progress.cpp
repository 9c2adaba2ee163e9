// SPDX-License-Identifier: Apache-2.0
#include "server/build/build_progress.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace placid::server {

using Ordered = nlohmann::ordered_json;

namespace {

constexpr std::chrono::milliseconds kBetween{50};
constexpr size_t kBar = 24, kLeastColumns = 20;
constexpr const char *kErase = "\r\x1b[K";

std::string textOf(const Ordered &fields, const char *name) {
  auto found = fields.is_object() ? fields.find(name) : fields.end();
  return fields.is_object() && found != fields.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// Names come from sources: nothing in them may move the cursor. Others than ASCII have widths that nobody knows.
std::string plain(std::string text) {
  for (char &c : text) {
    c = c >= ' ' && c <= '~' ? c : '?';
  }
  return text;
}

} // namespace

BuildProgress::BuildProgress(Terminal terminal, size_t files, std::function<void(const std::string &)> write,
                             Clock clock)
    : terminal_(terminal), write_(std::move(write)),
      clock_(clock ? std::move(clock) : [] { return std::chrono::steady_clock::now(); }), files_(files) {}

void BuildProgress::add(std::string_view type, const Ordered &fields) {
  std::string kernel = textOf(fields, "kernel");
  if (type == "fileLowered") {
    lowered_.insert(textOf(fields, "source"));
  } else if (type == "kernelQueued") {
    kernels_.insert(kernel);
  } else if (type == "kernelStarted") {
    running_[kernel] = "";
    done_.erase(kernel);
    failed_.erase(kernel);
  } else if (type == "cacheHit" || type == "passFinished") {
    std::string step = textOf(fields, "step");
    if (type == "cacheHit") {
      known_.emplace(kernel, step);
    }
    if (auto found = running_.find(kernel); found != running_.end()) {
      found->second = "after " + step;
    }
  } else if (type == "kernelFinished") {
    running_.erase(kernel);
    done_.insert(kernel);
    if (textOf(fields, "status") != "succeeded") {
      failed_.insert(kernel);
    }
  } else {
    return;
  }
  draw(type == "kernelStarted" && !std::exchange(began_, true)); // the first one in any case
}

std::string BuildProgress::line() const {
  bool lowering = lowered_.size() < files_ || (kernels_.empty() && done_.empty());
  size_t total = lowering ? files_ : std::max(kernels_.size(), done_.size());
  size_t done = std::min(total, lowering ? lowered_.size() : done_.size());
  size_t filled = total == 0 ? 0 : kBar * done / total;
  std::string counts = " " + std::to_string(done) + "/" + std::to_string(total);
  std::string text = counts + (lowering ? " files" : " kernels");
  if (!known_.empty()) {
    text += ", " + std::to_string(known_.size()) + (known_.size() == 1 ? " step" : " steps") + " known";
  }
  std::string failed = failed_.empty() ? std::string() : ", " + std::to_string(failed_.size()) + " failed";
  std::string names;
  for (const auto &[kernel, step] : running_) {
    names += (names.empty() ? " | " : ", ") + plain(kernel) + (step.empty() ? "" : " " + plain(step));
  }
  // What does not fit is left out from the end: names, then the bar.
  size_t room = std::max(terminal_.columns, kLeastColumns) - 1;
  std::string head = lowering ? "lowering" : "building";
  std::string bar = " [" + std::string(filled, '#') + std::string(kBar - filled, '-') + "]";
  if (head.size() + bar.size() + text.size() + failed.size() > room) {
    bar.clear();
  }
  std::string whole = head + bar + text + failed + names;
  whole.resize(std::min(whole.size(), room));
  if (terminal_.color && whole.size() >= head.size()) {
    whole = "\x1b[1m" + whole.substr(0, head.size()) + "\x1b[0m" + whole.substr(head.size());
  }
  return whole;
}

void BuildProgress::draw(bool now) {
  auto time = clock_();
  if (over_ || (!now && shown_ && time - drawn_ < kBetween)) {
    return;
  }
  write_(kErase + line());
  shown_ = true;
  drawn_ = time;
}

void BuildProgress::clear() {
  if (shown_ && !over_) {
    write_(kErase);
  }
  over_ = true;
}

} // namespace placid::server
