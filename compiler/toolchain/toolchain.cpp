// SPDX-License-Identifier: Apache-2.0
#include "compiler/toolchain/toolchain.h"

#include <algorithm>
#include <charconv>

namespace placid::toolchain {

namespace {

using target::Arch;

constexpr Arch kA2A3[] = {Arch::A2, Arch::A3};
constexpr Arch kA5[] = {Arch::A5};
constexpr Arch kAll[] = {Arch::A2, Arch::A3, Arch::A5};

constexpr Toolchain kToolchains[] = {
    {"cann-a3", "device code for A2 and A3", Compiler::Cce, kA2A3, "dav-c220-cube", "dav-c220-vec", "MEMORY_BASE"},
    {"cann-a5", "device code for A5", Compiler::Cce, kA5, "dav-c310-cube", "dav-c310-vec", "REGISTER_BASE"},
    {"cpu-sim", "host code on the CPU simulator of pto-isa", Compiler::Host, kAll, "", "", ""},
};

/// The first release that takes an explicit NZ layout by itself, and the first in which inference can be switched off.
constexpr Release kTakesExplicitNz{0, 61};
constexpr Release kInferenceOptional{0, 60};

} // namespace

std::optional<CoreType> parseCoreType(std::string_view word) {
  return word == "aic" ? std::optional(CoreType::Cube) : word == "aiv" ? std::optional(CoreType::Vector) : std::nullopt;
}

std::vector<CoreType> coresOf(std::string_view word) {
  if (word == "mixed") {
    return {CoreType::Cube, CoreType::Vector};
  }
  std::optional<CoreType> one = parseCoreType(word);
  return one ? std::vector<CoreType>{*one} : std::vector<CoreType>();
}

std::string_view coreName(CoreType core) { return core == CoreType::Cube ? "aic" : "aiv"; }

std::span<const Toolchain> toolchains() { return kToolchains; }

const Toolchain *findToolchain(std::string_view name) {
  const auto *found = std::find_if(std::begin(kToolchains), std::end(kToolchains),
                                   [&](const Toolchain &toolchain) { return toolchain.name == name; });
  return found == std::end(kToolchains) ? nullptr : found;
}

bool buildsFor(const Toolchain &toolchain, Arch arch) {
  return std::find(toolchain.archs.begin(), toolchain.archs.end(), arch) != toolchain.archs.end();
}

const Toolchain &deviceToolchain(Arch arch) { return arch == Arch::A5 ? kToolchains[1] : kToolchains[0]; }

std::optional<Release> parseRelease(std::string_view text) {
  // "ptoas 0.60", "ptoas version 0.61.2": the first two numbers with a dot between them.
  for (size_t at = 0; at < text.size(); ++at) {
    bool starts = text[at] >= '0' && text[at] <= '9' && (at == 0 || text[at - 1] == ' ' || text[at - 1] == 'v');
    if (!starts) {
      continue;
    }
    const char *end = text.data() + text.size();
    Release release;
    auto [dot, wrong] = std::from_chars(text.data() + at, end, release.major);
    if (wrong != std::errc() || dot == end || *dot != '.') {
      continue;
    }
    auto [rest, bad] = std::from_chars(dot + 1, end, release.minor);
    if (bad == std::errc() && rest != dot + 1) {
      return release;
    }
  }
  return std::nullopt;
}

std::string releaseName(Release release) { return std::to_string(release.major) + "." + std::to_string(release.minor); }

Needs needsOf(std::string_view pto) {
  Needs needs;
  uint32_t line = 1;
  for (size_t at = 0; at < pto.size(); ++line) {
    size_t end = std::min(pto.find('\n', at), pto.size());
    const std::string_view text = pto.substr(at, end - at);
    if (!needs.explicitNz && text.find("#pto.layout<nz>") != std::string_view::npos) {
      needs.explicitNz = true;
      needs.line = line;
    }
    // Types, as opposed to names and files in locations.
    needs.bf16 |=
        text.find("dtype=bf16,") != std::string_view::npos || text.find("!pto.ptr<bf16>") != std::string_view::npos;
    at = end + 1;
  }
  return needs;
}

Service serviceOf(Release release, const Needs &needs) {
  Service service;
  if (!needs.explicitNz || release >= kTakesExplicitNz) {
    return service;
  }
  if (release >= kInferenceOptional) {
    service.flags = {"--disable-infer-layout"};
    service.note = "ptoas " + releaseName(release) +
                   " infers layouts from shapes and refuses explicit NZ; its inference is switched off with " +
                   "--disable-infer-layout (not needed from " + releaseName(kTakesExplicitNz) + ")";
    return service;
  }
  service.refusal = "ptoas " + releaseName(release) + " cannot take an explicit NZ layout: that needs ptoas " +
                    releaseName(kTakesExplicitNz) + " or later, or " + releaseName(kInferenceOptional) +
                    " with --disable-infer-layout, which placid then passes";
  return service;
}

Command ptoasCommand(const std::string &in, const std::string &out, Arch arch, target::Planner planner,
                     const std::vector<std::string> &more) {
  Command command{{"@ptoas@", in, "-o", out, "--enable-insert-sync",
                   "--pto-level=" + std::string(target::ptoLevel(planner)),
                   "--pto-arch=" + std::string(target::archName(arch))},
                  out};
  command.argv.insert(command.argv.end(), more.begin(), more.end());
  return command;
}

Command compileCommand(const Toolchain &toolchain, CoreType core, const std::string &in, const std::string &out,
                       const std::vector<std::string> &more) {
  std::vector<std::string> argv;
  bool cube = core == CoreType::Cube;
  if (toolchain.compiler == Compiler::Cce) {
    argv = {"@cxx@",
            "-c",
            "-O3",
            "-x",
            "cce",
            "-std=c++17",
            "--cce-aicore-only",
            "--cce-aicore-arch=" + std::string(cube ? toolchain.cubeArch : toolchain.vectorArch)};
    for (const char *option : {"-cce-aicore-stack-size=0x8000", "-cce-aicore-function-stack-size=0x8000",
                               "-cce-aicore-record-overflow=false", "-cce-aicore-addr-transform",
                               "-cce-aicore-dcci-insert-for-scalar=false"}) {
      argv.emplace_back("-mllvm");
      argv.emplace_back(option);
    }
    argv.push_back("-D" + std::string(toolchain.memoryMacro));
    argv.insert(argv.end(), {"-I@isa@/include", "-I@isa@/include/pto"});
  } else {
    // Asserts stay on: they check extents against tiles, which the assembler does not. The headers use fixed-width
    // integers before they include their declarations. Their warnings are not the user's.
    argv = {"@cxx@",
            "-c",
            "-fPIC",
            "-O1",
            "-w",
            "-std=c++20",
            "-D__CPU_SIM",
            cube ? "-D__DAV_CUBE__" : "-D__DAV_VEC__",
            "-include",
            "stdint.h",
            "-include",
            "stddef.h",
            "-I@isa@/include"};
  }
  argv.insert(argv.end(), more.begin(), more.end());
  argv.insert(argv.end(), {"-ffile-prefix-map=@isa@=/pto-isa", "-o", out, in});
  return {std::move(argv), out};
}

std::optional<Command> linkCommand(const Toolchain &toolchain, const std::string &in, const std::string &out) {
  if (toolchain.compiler == Compiler::Cce) {
    return std::nullopt;
  }
  return Command{{"@cxx@", "-shared", "-o", out, in, "-pthread", "-ldl"}, out};
}

} // namespace placid::toolchain
