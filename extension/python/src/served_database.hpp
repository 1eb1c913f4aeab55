// Served database: a server for clients of PostgreSQL in a Python program.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "open_databases.hpp"
#include "server.hpp"

namespace scaup::python {

/// The Python class Server: a running server and the database that it keeps open. A child made by fork has
/// none of its threads, so nothing happens there when it is stopped.
class ServedDatabase {
 public:
  /// Begins to listen. Needs the GIL, which is released meanwhile.
  ServedDatabase(std::shared_ptr<registry::OpenDatabase> database, const server::ServerOptions& options);
  ~ServedDatabase();
  ServedDatabase(const ServedDatabase&) = delete;
  ServedDatabase& operator=(const ServedDatabase&) = delete;

  const std::vector<std::string>& addresses() const { return addresses_; }
  /// Returns the number of clients; 0 once it has stopped.
  size_t client_count() const;
  /// Needs the GIL, which is released meanwhile.
  void Stop();

 private:
  bool is_own() const;

  const uint32_t fork_count_;
  std::shared_ptr<registry::OpenDatabase> database_;
  std::unique_ptr<server::Server> server_;
  std::vector<std::string> addresses_;
};

/// Adds the class to the module, and the function that makes one.
void BindServer(pybind11::module_& module);

}  // namespace scaup::python
