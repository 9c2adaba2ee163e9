// SPDX-License-Identifier: Apache-2.0
// How far a build has come, as one line that is drawn over on a terminal and leaves nothing behind. Made from the
// events alone, which may repeat: a build that is taken up again says everything anew. Knows no terminal but its width;
// where there is none nothing of this is used. One thread at a time.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace placid::server {

class BuildProgress {
public:
  using Clock = std::function<std::chrono::steady_clock::time_point()>;
  struct Terminal {
    size_t columns = 80;
    bool color = false;
  };

  /// `files` to be lowered. `write` puts text on the terminal at once.
  BuildProgress(Terminal terminal, size_t files, std::function<void(const std::string &)> write, Clock clock = {});
  ~BuildProgress() { clear(); }
  BuildProgress(const BuildProgress &) = delete;
  BuildProgress &operator=(const BuildProgress &) = delete;

  void add(std::string_view type, const nlohmann::ordered_json &fields);
  /// Takes the line away; nothing is drawn afterwards.
  void clear();
  /// The line as it is now, at most `columns` - 1 wide.
  std::string line() const;

private:
  void draw(bool now);

  Terminal terminal_;
  std::function<void(const std::string &)> write_;
  Clock clock_;
  size_t files_;
  std::set<std::string> lowered_, kernels_, done_, failed_;
  std::set<std::pair<std::string, std::string>> known_; ///< Kernel and step.
  std::map<std::string, std::string> running_;          ///< What each kernel that was begun does.
  std::chrono::steady_clock::time_point drawn_{};
  bool shown_ = false, began_ = false, over_ = false;
};

} // namespace placid::server
