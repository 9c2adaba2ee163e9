// SPDX-License-Identifier: Apache-2.0
// From the C++ that the assembler wrote to the C++ that is compiled: line markers that lead back to the PTO IR, and an
// entry that a launcher can call without knowing the kernel's parameters. Text to text; knows no compiler. Pure; any
// thread.
#pragma once

#include <string>
#include <string_view>

namespace placid::toolchain {

/// The symbol of the entry: `void kernel_entry(int64_t *args)`, one slot a parameter of the PTO function, in order. A
/// slot holds the address of a tensor, or the bytes of a scalar or an extent in its lowest bytes.
inline constexpr std::string_view kEntryName = "kernel_entry";

struct KernelCpp {
  std::string text;
  std::string error; ///< Not empty: what in the assembler's C++ is not as expected; `text` is then empty.
};

/// Of a mixed kernel each core has an entry of that name: the one that is compiled for.
/// `generated` is the assembler's output for the unit `pto`, `ptoName` and `cppName` the names of the files that the
/// markers show.
KernelCpp makeKernelCpp(std::string_view generated, std::string_view pto, const std::string &ptoName,
                        const std::string &cppName);

} // namespace placid::toolchain
