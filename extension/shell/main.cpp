// The shell's entry point.
#include <langinfo.h>

#include <clocale>
#include <cstdio>
#include <cstring>
#include <stdexcept>

#include "error_printer.hpp"
#include "options.hpp"
#include "serve.hpp"
#include "shell.hpp"

namespace {

// Sets a UTF-8 locale if the environment names none, since line editing counts characters by the locale.
void SetUtf8Locale() {
  std::setlocale(LC_CTYPE, "");
  if (std::strcmp(nl_langinfo(CODESET), "UTF-8") != 0) std::setlocale(LC_CTYPE, "C.UTF-8");
}

int RunShell(const scaup::shell::Options& options) {
  scaup::shell::SignalWatcher watcher;
  try {
    scaup::shell::Shell shell(options, watcher);
    return shell.Run(options);
  } catch (const scaup::Error& error) {
    scaup::shell::PrintError(error, "", 0);
  } catch (const std::exception& error) {
    scaup::shell::PrintShellError(error.what());
  }
  return 1;
}

}  // namespace

int main(int argument_count, char** arguments) {
  SetUtf8Locale();
  if (argument_count > 1 && std::strcmp(arguments[1], "serve") == 0)
    return scaup::shell::RunServe(argument_count - 1, arguments + 1);
  scaup::shell::Options options;
  try {
    options = scaup::shell::ParseOptions(argument_count, arguments);
  } catch (const std::invalid_argument& error) {
    scaup::shell::PrintShellError(error.what());
    return 2;
  }
  if (options.help) {
    std::fputs(scaup::shell::UsageText(), stdout);
    return 0;
  }
  if (options.version) {
    std::printf("scaup %s\n", scaup::Database::Version());
    return 0;
  }
  return RunShell(options);
}
