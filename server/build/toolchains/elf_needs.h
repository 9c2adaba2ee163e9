// SPDX-License-Identifier: Apache-2.0
// What a program loads when it starts, read from the program itself: the shared libraries that it names, and those that
// they name, found as the loader finds them. Nothing is run. 64-bit little-endian ELF. Blocking; any thread.
#pragma once

#include <string>
#include <vector>

namespace placid::server {

/// Sorted real paths, `program` among them. Libraries that are found nowhere are left out: the loader will say so.
/// Empty when `program` is no such file (a script, say).
std::vector<std::string> loadedFiles(const std::string &program);

/// The program of a script's first line ("#!/usr/bin/env python3" gives /usr/bin/env), or empty.
std::string interpreterOf(const std::string &script);

} // namespace placid::server
