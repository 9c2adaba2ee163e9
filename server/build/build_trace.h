// SPDX-License-Identifier: Apache-2.0
// A build as a trace that Chrome's about:tracing and Perfetto show: a row for each kernel that is built at a time, a
// bar for each step. Made from the events alone, so that it tells of builds here and elsewhere alike. Knows no file.
// One thread at a time.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace placid::server {

class BuildTrace {
public:
  /// `microseconds` since the build began, never less than those of the event before.
  void add(std::string_view type, const nlohmann::ordered_json &fields, int64_t microseconds);
  /// The whole in the Trace Event Format. Kernels that have not ended end here.
  std::string text(int64_t microseconds) const;

private:
  struct Kernel {
    size_t row = 0;
    int64_t began = 0; ///< The kernel.
    int64_t last = 0;  ///< The end of its last step.
    std::string toolchain;
  };

  void bar(const std::string &name, const char *category, size_t row, int64_t from, int64_t to,
           const nlohmann::ordered_json &arguments);
  size_t freeRow();

  std::vector<std::string> bars_;      ///< JSON.
  std::map<std::string, Kernel> open_; ///< By kernel.
  std::vector<bool> taken_;            ///< By row; row 0 is the build's own.
  int64_t lowered_ = 0;                ///< When the last file had been lowered.
};

} // namespace placid::server
