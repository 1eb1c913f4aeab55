// Databases and connections of the C interface.
#include "edge.hpp"
#include "handles.hpp"

using scaup::c::Guard;
using scaup::c::Require;
using scaup::c::RequireOutput;

const char* scaup_version(void) { return scaup::Database::Version(); }
uint32_t scaup_abi_version(void) { return SCAUP_ABI_VERSION; }

scaup_status scaup_open(const char* path, const scaup_setting* settings, size_t setting_count,
                        scaup_database** out, scaup_error** error) {
  return Guard(error, [&] {
    scaup_database*& opened = RequireOutput(out);
    if (setting_count != 0) Require(settings, "the array of settings");
    scaup::Config config;
    for (size_t i = 0; i < setting_count; i++)
      config[&Require(settings[i].name, "a setting's name")] =
          &Require(settings[i].value, "a setting's value");
    opened = new scaup_database{scaup::Database(path == nullptr ? "" : path, config)};
  });
}

void scaup_close(scaup_database* database) { delete database; }

scaup_status scaup_connect(scaup_database* database, scaup_connection** out, scaup_error** error) {
  return Guard(error, [&] {
    scaup_connection*& opened = RequireOutput(out);
    opened = new scaup_connection{scaup::Connection(Require(database, "the database").database)};
  });
}

void scaup_disconnect(scaup_connection* connection) { delete connection; }

void scaup_interrupt(scaup_connection* connection) {
  if (connection != nullptr) connection->connection.Interrupt();
}

double scaup_progress(const scaup_connection* connection) {
  return connection == nullptr ? -1 : connection->connection.Progress();
}
