// SPDX-License-Identifier: Apache-2.0
// The tools that stand behind PTO IR, as data: which toolchain builds for which chip, what each release of the
// assembler can do, and the exact command lines. Makes words only: it finds no tool, runs none and reads no file. Pure;
// any thread.
#pragma once

#include "compiler/target/arch.h"
#include "compiler/target/planner.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace placid::toolchain {

/// What a kernel runs on; the generated C++ is empty under the macro of the other one.
enum class CoreType : uint8_t { Cube, Vector };
/// "aic" or "aiv"; nothing for another word.
std::optional<CoreType> parseCoreType(std::string_view word);
/// The cores that a kernel is compiled for: one, or both of "mixed". Empty for another word.
std::vector<CoreType> coresOf(std::string_view word);
/// "aic" or "aiv".
std::string_view coreName(CoreType core);

enum class Compiler : uint8_t {
  Cce, ///< `bisheng` or `ccec` of CANN: code for the device.
  Host ///< The host's clang with pto-isa's CPU simulator.
};

struct Toolchain {
  std::string_view name;
  std::string_view title;
  Compiler compiler;
  std::span<const target::Arch> archs;
  std::string_view cubeArch, vectorArch; ///< Values of --cce-aicore-arch; empty for the host.
  std::string_view memoryMacro;          ///< MEMORY_BASE or REGISTER_BASE; empty for the host.
};

/// In the order in which they are shown.
std::span<const Toolchain> toolchains();
/// Null for an unknown name.
const Toolchain *findToolchain(std::string_view name);
/// The toolchain that a build for `arch` uses when none is named.
const Toolchain &deviceToolchain(target::Arch arch);
bool buildsFor(const Toolchain &toolchain, target::Arch arch);

/// Of the assembler: "ptoas 0.60" is {0, 60}.
struct Release {
  int major = 0;
  int minor = 0;
  auto operator<=>(const Release &) const = default;
};
/// From what `ptoas --version` prints; nothing when no number is in it.
std::optional<Release> parseRelease(std::string_view text);
std::string releaseName(Release release);

/// What a unit of PTO IR asks of the assembler beyond the common part.
struct Needs {
  bool bf16 = false;       ///< Elements of that type.
  bool explicitNz = false; ///< A view with an explicit NZ layout.
  uint32_t line = 0;       ///< 1-based line of the first such view in the text; 0 when there is none.
};
Needs needsOf(std::string_view pto);

/// How a release serves those needs: further flags, or why it cannot.
struct Service {
  std::vector<std::string> flags;
  std::string refusal; ///< Empty: it can. Else a sentence that names the release, the need and the way out.
  std::string note;    ///< Said openly when a flag changes how the tool works.
};
Service serviceOf(Release release, const Needs &needs);

/// A command line. Words may hold `@NAME@` for what only the host knows where it is: `@ptoas@`, `@cxx@` (programs),
/// `@isa@` (a checkout of pto-isa). Everything else is relative to the folder that the tool runs in.
struct Command {
  std::vector<std::string> argv;
  std::string output;
  bool operator==(const Command &) const = default;
};

/// Assembles `in` into C++. `planner` is who gave its tiles addresses: they have to be there, or must not.
Command ptoasCommand(const std::string &in, const std::string &out, target::Arch arch, target::Planner planner,
                     const std::vector<std::string> &more);
/// Compiles one kernel's C++ into an object file.
Command compileCommand(const Toolchain &toolchain, CoreType core, const std::string &in, const std::string &out,
                       const std::vector<std::string> &more);
/// Makes a library that the host can load from one object; only the CPU simulator has this step.
std::optional<Command> linkCommand(const Toolchain &toolchain, const std::string &in, const std::string &out);

/// `@NAME@` in `word` replaced by what `value` gives for NAME; an unknown name stays.
template <class Lookup> std::string expand(std::string_view word, Lookup value) {
  std::string out;
  size_t at = 0;
  for (size_t begin = word.find('@'); begin != std::string_view::npos; begin = word.find('@', at)) {
    size_t end = word.find('@', begin + 1);
    if (end == std::string_view::npos) {
      break;
    }
    std::optional<std::string> found = value(std::string(word.substr(begin + 1, end - begin - 1)));
    out += word.substr(at, begin - at);
    out += found ? *found : std::string(word.substr(begin, end + 1 - begin));
    at = end + 1;
  }
  return out + std::string(word.substr(at));
}

} // namespace placid::toolchain
