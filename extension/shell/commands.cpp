// The dot commands: their table and implementations.
#include "commands.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <vector>

#include "error_printer.hpp"
#include "schema_printer.hpp"
#include "shell.hpp"
#include "sql_text.hpp"

namespace scaup::shell {

namespace {

using Arguments = std::vector<std::string>;

struct Command {
  const char* name;
  const char* parameters;
  const char* description;
  size_t least;
  size_t most;
  bool (*run)(Shell& shell, const Arguments& arguments);
};

bool Fail(const std::string& message) {
  PrintShellError(message);
  return false;
}

std::optional<bool> ParseSwitch(const std::string& text) {
  if (text == "on" || text == "yes" || text == "true" || text == "1") return true;
  if (text == "off" || text == "no" || text == "false" || text == "0") return false;
  return std::nullopt;
}

template <bool ShellSettings::*kMember>
bool Switch(Shell& shell, const Arguments& arguments) {
  const auto value = ParseSwitch(arguments[0]);
  if (!value) return Fail("say on or off, not " + arguments[0]);
  shell.settings().*kMember = *value;
  return true;
}

template <size_t ShellSettings::*kMember>
bool SetNumber(Shell& shell, const Arguments& arguments) {
  const std::string& text = arguments[0];
  const bool digits =
      !text.empty() && text.size() <= 9 && text.find_first_not_of("0123456789") == std::string::npos;
  if (!digits) return Fail("a number is wanted, not " + text);
  shell.settings().*kMember = std::strtoul(text.c_str(), nullptr, 10);
  return true;
}

bool Headers(Shell& shell, const Arguments& arguments) {
  const auto value = ParseSwitch(arguments[0]);
  if (!value) return Fail("say on or off, not " + arguments[0]);
  shell.settings().headers = *value;
  return true;
}

bool Mode(Shell& shell, const Arguments& arguments) {
  if (arguments.empty()) {
    shell.output().Write(std::string("mode: ") + OutputModeName(shell.settings().mode) + "\n");
    return true;
  }
  const auto mode = FindOutputMode(arguments[0]);
  if (!mode) return Fail("unknown mode " + arguments[0] + "; there are " + OutputModeNames());
  shell.settings().mode = *mode;
  if (arguments.size() > 1) shell.settings().insert_table = arguments[1];
  return true;
}

bool NullValue(Shell& shell, const Arguments& arguments) {
  shell.settings().null_text = arguments[0];
  return true;
}

bool Read(Shell& shell, const Arguments& arguments) {
  if (shell.RunFile(arguments[0])) return true;
  return Fail("cannot open " + arguments[0] + ": " + std::strerror(errno));
}

bool RedirectOutput(Shell& shell, const Arguments& arguments) {
  const std::string path = arguments.empty() || arguments[0] == "stdout" ? "" : arguments[0];
  if (shell.output().Redirect(path)) return true;
  return Fail("cannot open " + path + ": " + std::strerror(errno));
}

bool Open(Shell& shell, const Arguments& arguments) {
  try {
    shell.Open(arguments.empty() ? ":memory:" : arguments[0]);
    return true;
  } catch (const Error& error) {
    PrintError(error, "", 0);
    return false;
  }
}

bool Tables(Shell& shell, const Arguments& arguments) {
  std::string sql = "SELECT schema_name, table_name, row_count FROM scaup_tables()";
  if (!arguments.empty()) sql += " WHERE table_name LIKE " + QuoteText(arguments[0]);
  return shell.RunStatement(sql + " ORDER BY schema_name, table_name");
}

bool Schema(Shell& shell, const Arguments& arguments) {
  return PrintSchema(shell, arguments.empty() ? "" : arguments[0]);
}

bool Databases(Shell& shell, const Arguments&) { return shell.RunStatement("SHOW DATABASES"); }

bool Settings(Shell& shell, const Arguments&) { return shell.RunStatement("SHOW ALL"); }

bool Functions(Shell& shell, const Arguments& arguments) {
  std::string sql = "SELECT * FROM scaup_functions()";
  if (!arguments.empty()) sql += " WHERE function_name LIKE " + QuoteText(arguments[0]);
  return shell.RunStatement(sql + " ORDER BY function_name, argument_types");
}

bool Leave(Shell& shell, const Arguments& arguments) {
  shell.Leave(arguments.empty() ? 0 : std::atoi(arguments[0].c_str()));
  return true;
}

bool Help(Shell& shell, const Arguments& arguments);

constexpr Command kCommands[] = {
    {"bail", "on|off", "stop a script at its first error", 1, 1, Switch<&ShellSettings::bail>},
    {"changes", "on|off", "tell how many rows a statement changed", 1, 1, Switch<&ShellSettings::changes>},
    {"echo", "on|off", "print statements before they run", 1, 1, Switch<&ShellSettings::echo>},
    {"exit", "[status]", "leave", 0, 1, Leave},
    {"databases", "", "list the database and those that are attached", 0, 0, Databases},
    {"functions", "[pattern]", "list functions whose names are LIKE the pattern", 0, 1, Functions},
    {"headers", "on|off", "write column names", 1, 1, Headers},
    {"help", "[command]", "print this", 0, 1, Help},
    {"maxrows", "N", "rows of a table shown before its middle is left out; 0 shows all", 1, 1,
     SetNumber<&ShellSettings::max_rows>},
    {"mode", "[mode [table]]",
     "how results are written: box, ascii, table, csv, tsv, json, jsonl, line, list, markdown, insert", 0, 2,
     Mode},
    {"nullvalue", "TEXT", "what NULL is written as", 1, 1, NullValue},
    {"open", "[FILE]", "open another database, in memory without a file", 0, 1, Open},
    {"output", "[FILE]", "write results to a file, or to the screen again", 0, 1, RedirectOutput},
    {"progress", "on|off", "show a bar while long queries run", 1, 1, Switch<&ShellSettings::progress>},
    {"quit", "", "leave", 0, 0, Leave},
    {"read", "FILE", "run a script", 1, 1, Read},
    {"schema", "[table]", "print the CREATE statements of tables", 0, 1, Schema},
    {"settings", "", "list the settings of the database", 0, 0, Settings},
    {"tables", "[pattern]", "list tables whose names are LIKE the pattern", 0, 1, Tables},
    {"timer", "on|off", "print how long statements take", 1, 1, Switch<&ShellSettings::timer>},
    {"width", "N", "columns of the terminal; 0 asks the terminal", 1, 1, SetNumber<&ShellSettings::width>},
};

bool Help(Shell& shell, const Arguments& arguments) {
  bool found = false;
  for (const Command& command : kCommands) {
    if (!arguments.empty() && arguments[0] != command.name && arguments[0] != std::string(".") + command.name)
      continue;
    found = true;
    std::string line = std::string(".") + command.name + " " + command.parameters;
    line.resize(std::max<size_t>(line.size() + 1, 24), ' ');
    shell.output().Write(line + command.description + "\n");
  }
  return found || Fail("there is no command " + arguments[0]);
}

// Splits at spaces, except within 'single' and "double" quotes.
Arguments SplitArguments(const std::string& line) {
  Arguments arguments;
  size_t position = 0;
  while (true) {
    position = line.find_first_not_of(" \t", position);
    if (position == std::string::npos) return arguments;
    const char quote = line[position];
    if (quote == '\'' || quote == '"') {
      const size_t end = std::min(line.find(quote, position + 1), line.size());
      arguments.push_back(line.substr(position + 1, end - position - 1));
      position = std::min(end + 1, line.size());
    } else {
      const size_t end = std::min(line.find_first_of(" \t", position), line.size());
      arguments.push_back(line.substr(position, end - position));
      position = end;
    }
  }
}

// Returns the command with this name, or the only one whose name begins with it.
const Command* FindCommand(const std::string& name) {
  const Command* found = nullptr;
  for (const Command& command : kCommands) {
    if (name == command.name) return &command;
    if (name.size() >= 2 && std::string_view(command.name).substr(0, name.size()) == name) {
      if (found != nullptr) return nullptr;
      found = &command;
    }
  }
  return found;
}

}  // namespace

bool RunCommand(Shell& shell, const std::string& line) {
  Arguments arguments = SplitArguments(line.substr(1));
  const std::string name = arguments.empty() ? "" : arguments[0];
  // Users often end commands with a semicolon, like statements.
  if (arguments.size() > 1 && arguments.back() == ";") arguments.pop_back();
  const Command* command = FindCommand(name);
  if (command == nullptr) return Fail("there is no command ." + name + "; .help lists them");
  arguments.erase(arguments.begin());
  if (arguments.size() < command->least || arguments.size() > command->most) {
    return Fail(std::string("usage: .") + command->name + " " + command->parameters);
  }
  return command->run(shell, arguments);
}

}  // namespace scaup::shell
