// SPDX-License-Identifier: Apache-2.0
// The enumerations of pypto_pro and their members. Apart from layout/, which knows what the members mean. Pure; any
// thread.
#pragma once

#include <span>
#include <string_view>

namespace placid::pro {

/// The members of `name` ("MemorySpace"), as the documented releases have them; empty for an enumeration whose members
/// are not listed here, and for what is none.
std::span<const std::string_view> enumMembers(std::string_view name);

/// "MemorySpace" of the path "pro.MemorySpace.Vec", and of "pro.NZ" the enumeration that has it as a short form; empty
/// for other paths.
std::string_view enumOf(std::string_view path);

/// The enumeration that a keyword of operations and types takes, whatever it is given to; empty where that depends.
std::string_view enumOfKeyword(std::string_view keyword);

} // namespace placid::pro
