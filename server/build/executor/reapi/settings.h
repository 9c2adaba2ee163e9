// SPDX-License-Identifier: Apache-2.0
// Which executor a user wants and where its server is: `executor` and `[reapi]` of the user's config.toml. A project's
// settings have no say in this: sources go to that server, and credentials too. Reads one file. Any thread.
#pragma once

#include "server/build/executor/reapi/reapi.h"
#include "server/build/toolchains/discovery.h"

#include <string>
#include <vector>

namespace placid::server {

struct ExecutorSettings {
  std::string executor = "local"; ///< Or "reapi".
  ReapiOptions reapi;
  std::vector<std::string> faults; ///< A line each, with the place; what is wrong is not taken.
};

ExecutorSettings readExecutorSettings(const ToolEnvironment &environment);
/// Of the text of the file at `path`, which is for the faults.
ExecutorSettings readExecutorSettings(const std::string &path, const std::string &text);

bool isExecutor(const std::string &name);

} // namespace placid::server
