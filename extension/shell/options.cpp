// Options: parses the command line. Options may have one dash or two.
#include "options.hpp"

#include <stdexcept>

namespace scaup::shell {

namespace {

std::string WantValue(int argument_count, char** arguments, int& index) {
  if (index + 1 >= argument_count)
    throw std::invalid_argument(std::string("option ") + arguments[index] + " wants a value");
  return arguments[++index];
}

}  // namespace

Options ParseOptions(int argument_count, char** arguments) {
  Options options;
  ShellSettings& settings = options.settings;
  bool have_database = false;
  for (int i = 1; i < argument_count; ++i) {
    const std::string argument = arguments[i];
    if (argument.size() < 2 || argument[0] != '-') {
      if (have_database) throw std::invalid_argument("more than one database: " + argument);
      options.database = argument;
      have_database = true;
      continue;
    }
    const std::string name = argument.substr(argument[1] == '-' ? 2 : 1);
    if (name == "c") {
      options.actions.push_back({Action::Kind::kSql, WantValue(argument_count, arguments, i)});
    } else if (name == "f") {
      options.actions.push_back({Action::Kind::kFile, WantValue(argument_count, arguments, i)});
    } else if (name == "cmd") {
      options.first_commands.push_back(WantValue(argument_count, arguments, i));
    } else if (name == "nullvalue") {
      settings.null_text = WantValue(argument_count, arguments, i);
    } else if (name == "header" || name == "headers") {
      settings.headers = true;
    } else if (name == "noheader" || name == "noheaders") {
      settings.headers = false;
    } else if (name == "bail") {
      settings.bail = true;
    } else if (name == "echo") {
      settings.echo = true;
    } else if (name == "readonly") {
      options.read_only = true;
    } else if (name == "no-progress") {
      settings.progress = false;
    } else if (name == "help" || name == "h") {
      options.help = true;
    } else if (name == "version") {
      options.version = true;
    } else if (const auto mode = FindOutputMode(name)) {
      settings.mode = *mode;
    } else {
      throw std::invalid_argument("unknown option " + argument + "; -help lists them");
    }
  }
  return options;
}

const char* UsageText() {
  return "Usage: scaup [options] [database]\n"
         "       scaup serve [options] [database]   for clients of PostgreSQL; see scaup serve --help\n"
         "Without -c and -f, SQL is read from standard input. The database is a file,\n"
         "made if there is none; without a name it is in memory.\n"
         "\n"
         "  -c SQL           run SQL or a dot command and leave; may be repeated\n"
         "  -f FILE          run a script and leave; may be repeated\n"
         "  -cmd COMMAND     run a command before anything else\n"
         "  -box -ascii -table -csv -tsv -json -jsonl -line -list -markdown -insert\n"
         "                   how results are written\n"
         "  -header          with column names\n"
         "  -noheader        without column names\n"
         "  -nullvalue TEXT  what NULL is written as\n"
         "  -bail            stop at the first error\n"
         "  -echo            print statements before they run\n"
         "  -no-progress     no progress bar\n"
         "  -readonly        only read the database\n"
         "  -version         print the version\n"
         "  -help            print this\n";
}

}  // namespace scaup::shell
