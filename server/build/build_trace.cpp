// SPDX-License-Identifier: Apache-2.0
#include "server/build/build_trace.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace placid::server {

using Ordered = nlohmann::ordered_json;

namespace {

std::string textOf(const Ordered &fields, const char *name) {
  auto found = fields.is_object() ? fields.find(name) : fields.end();
  return fields.is_object() && found != fields.end() && found->is_string() ? found->get<std::string>() : std::string();
}

int64_t millisecondsOf(const Ordered &fields, const char *name) {
  auto found = fields.is_object() ? fields.find(name) : fields.end();
  bool good = fields.is_object() && found != fields.end() && found->is_number_integer();
  return good ? std::max<int64_t>(0, found->get<int64_t>()) : 0;
}

std::string written(const Ordered &json) { return json.dump(-1, ' ', false, Ordered::error_handler_t::replace); }

} // namespace

void BuildTrace::bar(const std::string &name, const char *category, size_t row, int64_t from, int64_t to,
                     const Ordered &arguments) {
  bars_.push_back(written({{"name", name},
                           {"cat", category},
                           {"ph", "X"},
                           {"ts", from},
                           {"dur", std::max<int64_t>(to - from, 1)},
                           {"pid", 1},
                           {"tid", row},
                           {"args", arguments}}));
}

size_t BuildTrace::freeRow() {
  size_t row = 1;
  while (row < taken_.size() && taken_[row]) {
    ++row;
  }
  taken_.resize(std::max(taken_.size(), row + 1));
  taken_[row] = true;
  return row;
}

void BuildTrace::add(std::string_view type, const Ordered &fields, int64_t microseconds) {
  std::string name = textOf(fields, "kernel");
  if (type == "fileLowered") {
    bar("lower " + textOf(fields, "source"), "lower", 0, lowered_, microseconds, fields);
    lowered_ = microseconds;
    return;
  }
  if (type == "kernelStarted") {
    auto [slot, added] = open_.try_emplace(name);
    if (added) { // a build that was taken up again begins its kernels again
      slot->second = {freeRow(), microseconds, microseconds, textOf(fields, "toolchain")};
    }
    return;
  }
  auto kernel = open_.find(name);
  if (kernel == open_.end()) {
    return;
  }
  if (type == "cacheHit" || type == "passFinished") {
    // Steps of a kernel come one after the other. What it waited for a place is shown as such.
    int64_t from = kernel->second.last;
    int64_t waited = std::min(millisecondsOf(fields, "queueMs") * 1000, microseconds - from);
    if (waited > 0) {
      bar("waits", "queue", kernel->second.row, from, from + waited, Ordered::object());
    }
    bar(textOf(fields, "step") + (type == "cacheHit" ? " (known)" : ""), type == "cacheHit" ? "cache" : "step",
        kernel->second.row, from + waited, microseconds, fields);
    kernel->second.last = microseconds;
  } else if (type == "kernelFinished") {
    bar(name, "kernel", kernel->second.row, kernel->second.began, microseconds,
        {{"status", textOf(fields, "status")}, {"toolchain", kernel->second.toolchain}});
    taken_[kernel->second.row] = false;
    open_.erase(kernel);
  }
}

std::string BuildTrace::text(int64_t microseconds) const {
  BuildTrace whole = *this;
  while (!whole.open_.empty()) {
    whole.add("kernelFinished", {{"kernel", whole.open_.begin()->first}, {"status", "stopped"}}, microseconds);
  }
  whole.bar("build", "build", 0, 0, microseconds, Ordered::object());
  std::string out = R"({"displayTimeUnit":"ms","traceEvents":[)" +
                    written({{"name", "process_name"}, {"ph", "M"}, {"pid", 1}, {"args", {{"name", "placid build"}}}});
  for (size_t row = 0; row < std::max<size_t>(whole.taken_.size(), 1); ++row) {
    std::string name = row == 0 ? "build" : "kernels " + std::to_string(row);
    out +=
        ",\n" + written({{"name", "thread_name"}, {"ph", "M"}, {"pid", 1}, {"tid", row}, {"args", {{"name", name}}}});
  }
  for (const std::string &one : whole.bars_) {
    out += ",\n" + one;
  }
  return out + "]}\n";
}

} // namespace placid::server
