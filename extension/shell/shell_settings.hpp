// What the user of the shell can set: by options on the command line and by dot commands.
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

/// The mode's name as `.mode` takes it, such as "jsonl".
const char* OutputModeName(OutputMode mode);
std::optional<OutputMode> FindOutputMode(std::string_view name);
/// "box, ascii, table, ..." for messages.
std::string OutputModeNames();

/// Plain values; one per shell.
struct ShellSettings {
  OutputMode mode = OutputMode::kBox;
  std::optional<bool> headers;           ///< unset: what the mode does by itself
  std::optional<std::string> null_text;  ///< unset: what the mode does by itself
  std::string insert_table = "my_table";
  size_t max_rows = 0;  ///< rows shown of a table before its middle is left out; 0: all
  size_t width = 0;     ///< columns of the terminal; 0: find out
  bool timer = false;
  bool echo = false;
  bool changes = false;
  bool progress = true;
  bool bail = false;
  bool interactive = false;
};

}  // namespace scaup::shell
