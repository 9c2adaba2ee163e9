// SPDX-License-Identifier: Apache-2.0
// The names of PL that are not operations: types, enumerations and their members, decorators, scopes, loops. What the
// operations are called is the op table's to know. Knows no IR; any thread.
#pragma once

#include "compiler/frontend/program.h"

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace placid::frontend {

/// Whether `path` ("pl.Level.CORE_GROUP") names something of PL, an operation or anything else. Members of enumerations
/// that are open here count as known.
bool isDialectName(std::string_view path);

/// The names that a dialect ("pl", "pld") has, operations aside: what stands after its first dot.
void addDialectNames(std::string_view prefix, std::set<std::string> &out);

/// The names that `path` may have been meant to be, spelled like it: the members of its enumeration, else names of its
/// own length.
std::vector<std::string> dialectNamesLike(std::string_view path);

/// Reports every name of a PL module in the declaration that PL does not have, operations that are called and
/// decorators aside. A place with an error already is left alone; what was said there about a lack of support goes.
/// `from` is where the declaration's own diagnostics begin in `diagnostics`.
void checkDialectNames(const Program &program, const KernelDecl &kernel, size_t from,
                       std::vector<diag::Diagnostic> &diagnostics);

/// Reports every decorator from a PL module that PL does not have: what stands under it would be no kernel, silently.
void checkDecorators(const Program &program, std::vector<diag::Diagnostic> &diagnostics);

} // namespace placid::frontend
