// SPDX-License-Identifier: Apache-2.0
// What the two halves of the store, whole blobs and blobs in pieces, and who writes beside it do with files alike. Any
// thread.
#pragma once

#include "server/build/store/store.h"
#include "server/support/write_all.h"

#include <string>

namespace placid::server {

StoreFault storeFaultOf(int error, const std::string &what);

} // namespace placid::server
