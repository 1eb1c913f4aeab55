// Shell settings, which the user sets by options on the command line and by dot commands.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace scaup::shell {

enum class OutputMode {
  kBox,
  kAscii,
  kTable,
  kCsv,
  kTsv,
  kJson,
  kJsonLines,
  kLine,
  kList,
  kMarkdown,
  kInsert
};

/// Returns the mode's name for `.mode`, such as "jsonl".
const char* OutputModeName(OutputMode mode);
/// Returns the mode of a name; nullopt if there is none.
std::optional<OutputMode> FindOutputMode(std::string_view name);
/// Returns "box, ascii, table, ..." for messages.
std::string OutputModeNames();

/// The settings of one shell. A value type.
struct ShellSettings {
  OutputMode mode = OutputMode::kBox;
  std::optional<bool> headers;           ///< nullopt for the mode's default
  std::optional<std::string> null_text;  ///< nullopt for the mode's default
  std::string insert_table = "my_table";
  size_t max_rows = 0;  ///< rows of a table to show, from its begin and end; 0 for all
  size_t width = 0;     ///< display columns of the terminal; 0 to ask the terminal
  bool timer = false;
  bool echo = false;
  bool changes = false;
  bool progress = true;
  bool bail = false;
  bool interactive = false;
};

}  // namespace scaup::shell
