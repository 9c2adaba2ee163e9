// SPDX-License-Identifier: Apache-2.0
// Small facts about processes, read from the kernel: memory, limits, descriptors of pids. Linux. Any thread.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

namespace placid::server {

/// Resident memory in bytes; 0 when the process is gone.
uint64_t residentBytes(pid_t pid);
/// Of this process, without the pages of files: what it has allocated, and what it has freed and not given back.
uint64_t ownBytes();
/// A descriptor that becomes readable when the process ends, or -1.
int openPidFd(pid_t pid);
/// Through the descriptor, so that it never reaches another process.
void killPidFd(int pidFd, int signal);
/// Address space in bytes (nothing under a sanitizer), no core files, and a readiness to be the first to go when the
/// machine runs out of memory. For a worker, once.
void useProcessLimits(uint64_t addressSpace);
/// For a process whose work nobody is waiting for at a keyboard: below others by `niceness`, and in a session of its
/// own. Linux shares a busy machine out between sessions first; in the daemon's, whatever this process uses would be
/// held against the threads that answer editors, at any niceness. A refusal does no harm.
void giveWay(int niceness);
/// The process ends when its parent does.
void dieWithParent(pid_t parent);

} // namespace placid::server
