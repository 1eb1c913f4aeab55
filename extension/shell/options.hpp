// The shell's command line.
#pragma once

#include <string>
#include <vector>

#include "shell_settings.hpp"

namespace scaup::shell {

/// A piece of work given on the command line.
struct Action {
  enum class Kind { kSql, kFile };
  Kind kind;
  std::string text;  ///< SQL or dot commands; or a path
};

struct Options {
  ShellSettings settings;
  std::string database = ":memory:";
  bool read_only = false;
  std::vector<std::string> first_commands;  ///< of -cmd: run before anything else
  std::vector<Action> actions;              ///< of -c and -f: instead of standard input
  bool help = false;
  bool version = false;
};

/// Throws std::invalid_argument with a message for the user.
Options ParseOptions(int argument_count, char** arguments);

/// What -help prints.
const char* UsageText();

}  // namespace scaup::shell
