// SPDX-License-Identifier: Apache-2.0
// The store as the remote execution module sees it. Apart from reapi.h because the module itself has no store. Any
// thread.
#pragma once

#include "server/build/executor/reapi/reapi.h"

namespace placid::server {

class StoreBlobs final : public ReapiBlobs {
public:
  explicit StoreBlobs(Store &store) : store_(store) {}
  StoreResult<std::string> get(const Digest &digest) override { return store_.get(digest); }
  StoreResult<Digest> put(std::string_view bytes) override { return store_.put(bytes); }

private:
  Store &store_;
};

} // namespace placid::server
