// Options: the shell's command line.
#pragma once

#include <string>
#include <vector>

#include "shell_settings.hpp"

namespace scaup::shell {

/// An action that the command line asks for.
struct Action {
  enum class Kind { kSql, kFile };
  Kind kind;
  std::string text;  ///< SQL or dot commands; or a path
};

/// The parsed command line.
struct Options {
  ShellSettings settings;
  std::string database = ":memory:";
  bool read_only = false;
  std::vector<std::string> first_commands;  ///< from -cmd; run before everything else
  std::vector<Action> actions;              ///< from -c and -f; run instead of standard input
  bool help = false;
  bool version = false;
};

/// Parses the command line. Throws std::invalid_argument with a message for the user.
Options ParseOptions(int argument_count, char** arguments);

/// Returns the text that -help prints.
const char* UsageText();

}  // namespace scaup::shell
