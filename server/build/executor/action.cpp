// SPDX-License-Identifier: Apache-2.0
#include "server/build/executor/action.h"

#include <algorithm>
#include <tuple>

namespace placid::server {

namespace {

constexpr const char *kForm = "placid-action-1";

class Writer {
public:
  void field(std::string_view text) {
    out_ += std::to_string(text.size());
    out_ += ':';
    out_ += text;
  }
  void count(size_t number) { field(std::to_string(number)); }
  std::string take() { return std::move(out_); }

private:
  std::string out_;
};

} // namespace

std::string canonicalBytes(const Action &action) {
  Writer out;
  out.field(kForm);
  out.field(action.step);
  out.count(action.argv.size());
  for (const std::string &word : action.argv) {
    out.field(word);
  }
  out.count(action.env.size());
  for (const auto &[name, value] : action.env) {
    out.field(name);
    out.field(value);
  }
  std::vector<ActionInput> inputs = action.inputs;
  std::sort(inputs.begin(), inputs.end(), [](const ActionInput &x, const ActionInput &y) {
    return std::tie(x.path, x.digest) < std::tie(y.path, y.digest);
  });
  out.count(inputs.size());
  for (const ActionInput &input : inputs) {
    out.field(input.path);
    out.field(input.digest.hex);
  }
  std::vector<std::string> outputs = action.outputs;
  std::sort(outputs.begin(), outputs.end());
  out.count(outputs.size());
  for (const std::string &output : outputs) {
    out.field(output);
  }
  out.field(action.depFile);
  out.count(action.tools.size());
  for (const auto &[name, digest] : action.tools) {
    out.field(name);
    out.field(digest.hex);
  }
  out.field(action.platform);
  out.field(action.salt);
  return out.take();
}

Digest keyOf(const Action &action) { return digestOf(canonicalBytes(action)); }

bool isSafeRelativePath(const std::string &path) {
  if (path.empty() || path.size() > 1000 || path.front() == '/') {
    return false;
  }
  for (size_t at = 0; at <= path.size();) {
    size_t end = std::min(path.find('/', at), path.size());
    std::string_view part = std::string_view(path).substr(at, end - at);
    if (part.empty() || part == "." || part == "..") {
      return false;
    }
    at = end + 1;
  }
  return std::none_of(path.begin(), path.end(), [](char c) { return static_cast<unsigned char>(c) < 32 || c == 127; });
}

} // namespace placid::server
