// SPDX-License-Identifier: Apache-2.0
#include "protocol/daemon/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <string_view>

namespace placid::protocol {

uint32_t terminalColumns(int fd, const char *kind) {
  constexpr uint32_t kUsual = 80;
  if (!kind || !*kind || std::string_view(kind) == "dumb" || ::isatty(fd) != 1) {
    return 0;
  }
  winsize size{};
  bool known = ::ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col != 0;
  return known ? size.ws_col : kUsual;
}

} // namespace placid::protocol
