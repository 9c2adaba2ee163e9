// SPDX-License-Identifier: Apache-2.0
// What plain and MX products check alike. Private to compiler/pro/rules. One thread.
#pragma once

#include "compiler/pro/rules/rules.h"

namespace placid::pro::rules {

/// Reports a tile that is in another memory; true when it is not.
bool inSpace(KernelReader &reader, const Argument &argument, const TileInfo *tile, std::string_view role, Space wanted,
             const Message &kind);
/// M, K and N of the three tiles agree. Silent where a part of a tile is in use.
bool checkExtents(KernelReader &reader, const Call &call, const TileInfo &dst, const TileInfo &lhs,
                  const TileInfo &rhs);
/// `acc_tile` has the type of the destination.
void checkAcc(KernelReader &reader, const Call &call, const TileInfo &dst);

} // namespace placid::pro::rules
