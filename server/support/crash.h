// SPDX-License-Identifier: Apache-2.0
// What is left to do when the process itself breaks (a fault in the compiler, a stack that ran out): say so, keep the
// text that was being compiled as a reproducer, end with the exit code of an internal error. In a worker the daemon is
// told as well. The handler uses async-signal-safe calls alone.
#pragma once

#include <string>
#include <string_view>

namespace placid::server {

/// Once, at the start of the process. `commandLine` goes into the reproducer. Does nothing under a sanitizer, whose
/// report says more.
void installCrashHandler(const std::string &commandLine);

/// Bytes that a crash writes to `fd` first. Once; at most 64 bytes.
void setCrashNotice(int fd, std::string_view bytes);

/// A sanitizer is compiled in: it reports faults itself and wants address space.
bool sanitized();

/// Gives the calling thread a stack for the handler, so that its own may be exhausted. For threads that compile.
void useCrashStack();

/// While it lives, `text` is what a crash is blamed on. One at a time.
class CompilingText {
public:
  CompilingText(std::string_view path, std::string_view text);
  ~CompilingText();
  CompilingText(const CompilingText &) = delete;
  CompilingText &operator=(const CompilingText &) = delete;
};

} // namespace placid::server
