// Parses the options of `scaup serve`, and waits for a signal to stop.
#include "serve.hpp"

#include <csignal>
#include <cstdio>
#include <stdexcept>
#include <string>

#include "error_printer.hpp"
#include "scaup/database.hpp"
#include "server.hpp"

namespace scaup::shell {

namespace {

struct ServeOptions {
  std::string database = ":memory:";
  Config config;
  server::ServerOptions server;
  bool help = false;
};

constexpr char kUsage[] =
    "Usage: scaup serve [options] [database]\n"
    "Lets psql and other clients of PostgreSQL use the database, until Ctrl-C.\n"
    "\n"
    "  --listen HOST:PORT     where to listen; may be repeated; 127.0.0.1:5432 if\n"
    "                         neither this nor a socket is given; port 0: a free one\n"
    "  --socket DIRECTORY     listen at a Unix socket there, for this user\n"
    "  --port PORT            the number in the socket's name; 5432\n"
    "  --password-file FILE   lines of user:password, which clients must know\n"
    "  --tls-cert FILE --tls-key FILE\n"
    "                         PEM files for encrypted connections\n"
    "  --max-connections N    how many clients there may be at a time; 1000\n"
    "  --readonly             only read the database\n"
    "  --help                 print this\n";

unsigned long WantNumber(const std::string& name, const std::string& text, unsigned long most) {
  size_t used = 0;
  unsigned long number = 0;
  try {
    number = std::stoul(text, &used);
  } catch (const std::logic_error&) {
    used = 0;
  }
  if (used == 0 || used != text.size() || number > most)
    throw std::invalid_argument("option " + name + " wants a number up to " + std::to_string(most));
  return number;
}

ServeOptions ParseServeOptions(int argument_count, char** arguments) {
  ServeOptions options;
  bool have_database = false;
  for (int i = 1; i < argument_count; i++) {
    const std::string argument = arguments[i];
    if (argument.size() < 2 || argument[0] != '-') {
      if (have_database) throw std::invalid_argument("more than one database: " + argument);
      options.database = argument;
      have_database = true;
      continue;
    }
    const std::string name = argument.substr(argument[1] == '-' ? 2 : 1);
    const auto value = [&]() -> std::string {
      if (i + 1 >= argument_count) throw std::invalid_argument("option " + argument + " wants a value");
      return arguments[++i];
    };
    if (name == "listen") {
      options.server.listen.push_back(value());
    } else if (name == "socket") {
      options.server.socket_directory = value();
    } else if (name == "port") {
      options.server.socket_port = static_cast<uint16_t>(WantNumber(argument, value(), 65535));
    } else if (name == "password-file") {
      options.server.password_file = value();
    } else if (name == "tls-cert") {
      options.server.tls_certificate = value();
    } else if (name == "tls-key") {
      options.server.tls_key = value();
    } else if (name == "max-connections") {
      options.server.max_connections = WantNumber(argument, value(), 1000000);
    } else if (name == "readonly") {
      options.config["access_mode"] = "read_only";
    } else if (name == "help" || name == "h") {
      options.help = true;
    } else {
      throw std::invalid_argument("unknown option " + argument + "; scaup serve --help lists them");
    }
  }
  if (options.server.listen.empty() && options.server.socket_directory.empty())
    options.server.listen.emplace_back("127.0.0.1:" + std::to_string(options.server.socket_port));
  return options;
}

int Serve(const ServeOptions& options) {
  // Blocked before the first thread, so that sigwait is what gets them.
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  sigset_t before;
  pthread_sigmask(SIG_BLOCK, &signals, &before);
  server::Server server(Database(options.database, options.config), options.server);
  for (const std::string& address : server.addresses()) std::printf("listening at %s\n", address.c_str());
  std::fflush(stdout);
  int signal = 0;
  sigwait(&signals, &signal);
  // A second signal ends the process at once.
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  server.Stop();
  return 0;
}

}  // namespace

int RunServe(int argument_count, char** arguments) {
  try {
    const ServeOptions options = ParseServeOptions(argument_count, arguments);
    if (options.help) {
      std::fputs(kUsage, stdout);
      return 0;
    }
    return Serve(options);
  } catch (const std::invalid_argument& error) {
    PrintShellError(error.what());
    return 2;
  } catch (const Error& error) {
    PrintError(error, "", 0);
  } catch (const std::exception& error) {
    PrintShellError(error.what());
  }
  return 1;
}

}  // namespace scaup::shell
