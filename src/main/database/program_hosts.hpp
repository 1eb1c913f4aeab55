// Program hosts: what the program has registered for all connections of a database.
#pragma once

#include "format/hosted/file_hosts.hpp"
#include "main/database/registered_languages.hpp"

namespace scaup {

/// The hosts of a database. Owned by it. Thread-safe.
struct ProgramHosts {
  RegisteredLanguages languages;
  FileHosts built_in_files;  ///< those that come with the library
  FileHosts files{&built_in_files};
};

}  // namespace scaup
