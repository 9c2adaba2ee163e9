// SPDX-License-Identifier: Apache-2.0
// The two symbols of the remote execution module. The rest of it, gRPC included, is of no concern to who loads it.
#include "server/build/executor/reapi/reapi_executor.h"

#include <string>

#define PLACID_EXPORT extern "C" __attribute__((visibility("default")))

PLACID_EXPORT const char *placidReapiForm() {
  static const std::string form = std::string(placid::server::kReapiForm) + " " + PLACID_VERSION;
  return form.c_str();
}

PLACID_EXPORT placid::server::Executor *placidReapiExecutor(const placid::server::ReapiOptions &options,
                                                            placid::server::ReapiBlobs &blobs, std::string &wrong) {
  return placid::server::ReapiExecutor::make(options, blobs, wrong).release();
}
