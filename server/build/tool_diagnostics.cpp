// SPDX-License-Identifier: Apache-2.0
#include "server/build/tool_diagnostics.h"

#include "compiler/toolchain/tool_output.h"

#include <algorithm>
#include <csignal>

namespace placid::server {

namespace {

using toolchain::Place;
using toolchain::ToolMessage;
using toolchain::ToolSeverity;

/// From the place to the end of its line; nothing of the text: an empty range at its start.
diag::Location locationOf(const Place &place, const TextOf &text) {
  diag::Location out{place.file, {}};
  source::SourcePtr source = place.line == 0 ? nullptr : text(place.file);
  if (!source || place.line > source->lines.lineCount()) {
    return out;
  }
  std::string_view line = source->lines.line(source->text, place.line - 1);
  uint32_t byte = 0;
  for (uint32_t column = 1; column < place.column && byte < line.size(); ++column) {
    do { // columns are characters
      ++byte;
    } while (byte < line.size() && (static_cast<unsigned char>(line[byte]) & 0xC0) == 0x80);
  }
  size_t end = line.find_last_not_of(" \t");
  uint32_t begin = source->lines.offset({place.line - 1, byte});
  uint32_t last =
      source->lines.offset({place.line - 1, end == std::string_view::npos ? 0 : static_cast<uint32_t>(end + 1)});
  out.range = {begin, std::max(begin, last)};
  return out;
}

/// Names that the tools were told, as users find them.
Place shown(Place place, const UnitPlaces &unit) {
  if (place.file == unit.ptoName) {
    place.file = unit.shownPto;
  } else if (place.file + ".pto" == unit.ptoName ||
             place.file == unit.ptoName.substr(0, unit.ptoName.size() - 4) + ".cpp") {
    place.file = unit.shownCpp;
  }
  return place;
}

std::string lastWords(const std::string &text) {
  size_t end = text.find_last_not_of(" \n\r\t");
  if (end == std::string::npos) {
    return {};
  }
  size_t begin = text.rfind('\n', end);
  begin = begin == std::string::npos ? 0 : begin + 1;
  return ": " + text.substr(begin, std::min<size_t>(end + 1 - begin, 400));
}

std::string signalName(int signal) {
  switch (signal) {
  case SIGSEGV:
    return "SIGSEGV (an access outside its memory)";
  case SIGABRT:
    return "SIGABRT (a check of its own failed)";
  case SIGBUS:
    return "SIGBUS";
  case SIGILL:
    return "SIGILL";
  case SIGFPE:
    return "SIGFPE";
  case SIGTERM:
    return "SIGTERM";
  case SIGXFSZ:
    return "SIGXFSZ (a file larger than it may be)";
  default:
    return "signal " + std::to_string(signal);
  }
}

diag::Diagnostic fromMessage(Tool tool, const std::string &name, const ToolMessage &message, const UnitPlaces &unit,
                             const TextOf &text) {
  bool error = message.severity == ToolSeverity::Error;
  diag::Diagnostic out;
  if (tool == Tool::Ptoas) {
    out.code = error ? diag::PtoasError.code : diag::PtoasWarning.code;
    out.message = diag::message(diag::PtoasError, message.text);
  } else {
    out.code = error ? diag::CompilerError.code : diag::CompilerWarning.code;
    out.message = diag::message(diag::CompilerError, name, message.text);
  }
  out.severity = error ? diag::Severity::Error : diag::Severity::Warning;
  out.kernel = unit.kernel;
  Place inUnit = toolchain::placeInUnit(message, unit.ptoName);
  bool inSource = inUnit.line == 0 && message.place.line != 0 && message.place.file == unit.sourcePath;
  Place primary = inSource           ? message.place
                  : inUnit.line != 0 ? unit.places->source(inUnit.line)
                                     : unit.places->function();
  // The assembler passes on the places of the program, which may lie in a module of its own.
  if (!inSource && tool == Tool::Ptoas && inUnit.line == 0 && message.place.line != 0) {
    primary = message.place;
  }
  out.at = locationOf(primary.line != 0 ? primary : Place{unit.sourcePath, 1, 1}, text);
  auto relate = [&](const Place &place, const std::string &words) {
    if (place.line != 0 && !(place == primary)) {
      out.related.push_back({locationOf(shown(place, unit), text), words, diag::Related::Role::Note});
    }
  };
  relate(message.place, "here: " + message.text);
  if (!(inUnit == message.place)) {
    relate(inUnit, "asked for here");
  }
  for (const ToolMessage &note : message.notes) {
    if (!(note.place == inUnit)) {
      relate(note.place, note.text);
    }
  }
  return out;
}

} // namespace

diag::Diagnostic atUnitLine(diag::Code code, std::string message, uint32_t line, const UnitPlaces &unit,
                            const TextOf &text) {
  diag::Diagnostic out;
  out.code = code;
  out.severity = diag::find(code)->severity;
  out.message = std::move(message);
  out.kernel = unit.kernel;
  Place place = line != 0 ? unit.places->source(line) : unit.places->function();
  out.at = locationOf(place.line != 0 ? place : Place{unit.sourcePath, 1, 1}, text);
  return out;
}

std::vector<diag::Diagnostic> toolDiagnostics(Tool tool, const std::string &name, const Outcome &outcome,
                                              const UnitPlaces &unit, const TextOf &text) {
  std::vector<diag::Diagnostic> out;
  auto atKernel = [&](diag::Code code, std::string message) {
    out.push_back(atUnitLine(code, std::move(message), 0, unit, text));
  };
  if (const ToolStopped *stopped = std::get_if<ToolStopped>(&outcome)) {
    std::string seconds = std::to_string((stopped->runMs + 500) / 1000) + " s";
    std::string why = stopped->clock == ToolStopped::Clock::Run       ? "was not done after " + seconds
                      : stopped->clock == ToolStopped::Clock::Silence ? "said nothing for too long"
                                                                      : "wrote more than its log may hold";
    atKernel(diag::ToolStopped.code, diag::message(diag::ToolStopped, name, why));
    return out;
  }
  if (const InfraFailure *failure = std::get_if<InfraFailure>(&outcome)) {
    atKernel(diag::BuildInfrastructure.code, diag::message(diag::BuildInfrastructure, name, failure->detail));
    return out;
  }
  const ToolRun *run = std::get_if<ToolRun>(&outcome);
  if (!run) {
    return out; // cancelled: nobody asks any more
  }
  bool bad = run->signal != 0 || run->exitCode != 0;
  bool errors = false;
  for (const ToolMessage &message : toolchain::parseToolOutput(run->err)) {
    // A tool that succeeded has made no error, whatever it wrote; one that crashed is not judged by what it wrote
    // before.
    if (message.severity == ToolSeverity::Error && (!bad || run->signal != 0)) {
      continue;
    }
    errors |= message.severity == ToolSeverity::Error;
    out.push_back(fromMessage(tool, name, message, unit, text));
  }
  if (run->signal != 0) {
    atKernel(diag::ToolCrashed.code,
             diag::message(diag::ToolCrashed, name, signalName(run->signal), lastWords(run->err)));
  } else if (run->exitCode != 0 && !errors) {
    std::string words = lastWords(run->err);
    atKernel(diag::ToolFailed.code,
             diag::message(diag::ToolFailed, name, run->exitCode, words.empty() ? lastWords(run->out) : words));
  }
  return out;
}

std::string_view sourceOf(const diag::Diagnostic &diagnostic) {
  if (diagnostic.code == diag::PtoasError.code || diagnostic.code == diag::PtoasWarning.code) {
    return "ptoas";
  }
  bool compiler = diagnostic.code == diag::CompilerError.code || diagnostic.code == diag::CompilerWarning.code;
  return compiler ? "cce" : "placid";
}

} // namespace placid::server
