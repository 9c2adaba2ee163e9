// SPDX-License-Identifier: Apache-2.0
#include "server/build/jobs/labels.h"

#include "compiler/support/suggest.h"
#include "compiler/toolchain/toolchain.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace placid::server {

namespace {

/// Labels and what they may say; an empty list: a number.
const std::map<std::string, std::vector<std::string>> &vocabulary() {
  static const std::map<std::string, std::vector<std::string>> table = [] {
    std::map<std::string, std::vector<std::string>> out = {
        {"arch", {"aarch64", "x86_64"}},
        {"soc", {"a2", "a3", "a5"}},
        {"class", {"compile", "sim", "device"}},
        {"cards", {}},
        {"plane", {}},
    };
    for (const toolchain::Toolchain &one : toolchain::toolchains()) {
      out["tc"].emplace_back(one.name);
    }
    return out;
  }();
  return table;
}

std::string joined(const std::vector<std::string> &words) {
  std::string out;
  for (const std::string &word : words) {
    out += (out.empty() ? "" : ", ") + word;
  }
  return out;
}

bool isNumber(std::string_view text) {
  return !text.empty() && text.size() < 5 &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

} // namespace

std::string labelFault(const Labels &labels) {
  std::vector<std::string> names;
  for (const auto &[name, values] : vocabulary()) {
    names.push_back(name);
  }
  for (const auto &[name, value] : labels) {
    auto known = vocabulary().find(name);
    if (known == vocabulary().end()) {
      return "there is no label `" + name + "`" + support::didYouMean(name, names) + " (there are: " + joined(names) +
             ")";
    }
    const std::vector<std::string> &values = known->second;
    bool good = values.empty() ? isNumber(value) : std::find(values.begin(), values.end(), value) != values.end();
    if (!good) {
      return "label `" + name + "` cannot be `" + value + "`" + support::didYouMean(value, values) + " (" +
             (values.empty() ? "a number" : joined(values)) + ")";
    }
  }
  return {};
}

std::string neverMet(const Labels &labels, const LabelOffer &offer) {
  for (const auto &[name, value] : labels) {
    if (name == "tc" && offer.toolchains.count(value) == 0) {
      std::vector<std::string> there(offer.toolchains.begin(), offer.toolchains.end());
      return "tc=" + value + ": the tools of that toolchain are not here" +
             (there.empty() ? "; those of no toolchain are" : " (here: " + joined(there) + ")");
    }
    if (name == "arch" && value != offer.machine) {
      return "arch=" + value + ": this machine is " + offer.machine;
    }
    if (name == "class" && value == "sim" && offer.toolchains.count("cpu-sim") == 0) {
      return "class=sim: the tools of cpu-sim are not here";
    }
    if (name == "soc" || name == "cards" || name == "plane" || (name == "class" && value == "device")) {
      return name + "=" + value + ": builds run on no device; compile actions carry tc, arch and class=compile";
    }
  }
  return {};
}

} // namespace placid::server
