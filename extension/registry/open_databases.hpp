// Open databases: the databases that clients in this process have open, so that connections to one path share
// one of them.
#pragma once

#include <memory>
#include <string>

#include "scaup/database.hpp"

namespace scaup::registry {

/// A database that its connections own together, by shared_ptr. It is closed with the last of them.
struct OpenDatabase {
  Database database;
};

/// Returns the database at `path`, which is opened unless it is open in this process. Paths are equal if they
/// lead to the same file. A database in memory is always a new one. Waits while another thread opens or
/// closes the database. A child made by fork does not see its parent's databases.
///
/// Throws Error(kIo, 55006) if the database is open and one of `settings` differs. Settings that were not
/// given now are not compared, except access_mode. It may wait, so a caller in Python does not have the GIL.
std::shared_ptr<OpenDatabase> OpenShared(const std::string& path, const Config& settings);

/// Returns a text by which other code in this process finds the database with FindOpen, as long as it is
/// open.
std::string HandleOf(const std::shared_ptr<OpenDatabase>& database);
/// Throws Error(kUsage, 08003) if no open database has this handle.
std::shared_ptr<OpenDatabase> FindOpen(const std::string& handle);

}  // namespace scaup::registry
