// Starts and stops servers.
#include "served_database.hpp"

#include <pybind11/stl.h>

#include <utility>

#include "cursor.hpp"
#include "fork_count.hpp"
#include "gil_release.hpp"

namespace py = pybind11;

namespace scaup::python {

namespace {

constexpr const char* kServerText =
    R"(A server that scaup.serve() has started. It runs until stop(), the end of a `with` block, or of the object; it
keeps the database open. Thread-safe.)";

constexpr const char* kStopText =
    R"(Takes no more clients, interrupts their statements, rolls their transactions back, and waits for the end of all.
Does nothing if it has stopped already.)";

}  // namespace

ServedDatabase::ServedDatabase(std::shared_ptr<registry::OpenDatabase> database,
                               const server::ServerOptions& options)
    : fork_count_(registry::ForkCount()), database_(std::move(database)) {
  const GilRelease released;
  server_ = std::make_unique<server::Server>(database_->database, options);
  addresses_ = server_->addresses();
}

ServedDatabase::~ServedDatabase() {
  Stop();
  (void)server_.release();  // In a child: its threads, for which the destructor would wait, are the parent's.
}

bool ServedDatabase::is_own() const { return fork_count_ == registry::ForkCount(); }

size_t ServedDatabase::client_count() const { return server_ && is_own() ? server_->client_count() : 0; }

void ServedDatabase::Stop() {
  if (!is_own()) return;
  // Taken first: another thread that stops it meanwhile has nothing to do.
  const std::unique_ptr<server::Server> server = std::exchange(server_, nullptr);
  std::shared_ptr<registry::OpenDatabase> database = std::exchange(database_, nullptr);
  const GilRelease released;
  if (server) server->Stop();
  database.reset();
}

void BindServer(py::module_& module) {
  py::class_<ServedDatabase>(module, "Server", kServerText)
      .def_property_readonly("addresses", &ServedDatabase::addresses,
                             "Where it listens: host:port, and the path of the Unix socket.")
      .def_property_readonly("client_count", &ServedDatabase::client_count, "How many clients are connected.")
      .def("stop", &ServedDatabase::Stop, kStopText)
      .def("__enter__", [](py::object self) { return self; })
      .def("__exit__", [](ServedDatabase& self, const py::args&) { self.Stop(); });
  module.def("_serve", [](ConnectionObject& connection, std::vector<std::string> listen,
                          std::string socket_directory, uint16_t socket_port, size_t max_connections) {
    server::ServerOptions options;
    options.listen = std::move(listen);
    options.socket_directory = std::move(socket_directory);
    options.socket_port = socket_port;
    options.max_connections = max_connections;
    return std::make_unique<ServedDatabase>(connection.open_database(), options);
  });
}

}  // namespace scaup::python
