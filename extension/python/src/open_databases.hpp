// Open databases: the databases that this module has open, so that connections to one path share one of them.
#pragma once

#include <memory>
#include <string>

#include "scaup/database.hpp"

namespace scaup::python {

/// A database that its connections own together, by shared_ptr. It is closed with the last of them.
struct OpenDatabase {
  Database database;
};

/// Returns the database at `path`, which is opened unless it is open in this process. Paths are equal if they
/// lead to the same file. A database in memory is always a new one. Waits while another thread opens or
/// closes the database. A child made by fork does not see its parent's databases.
///
/// Throws Error(kIo, 55006) if the database is open and one of `settings` differs. Settings that were not
/// given now are not compared, except access_mode. Call it without the GIL.
std::shared_ptr<OpenDatabase> OpenShared(const std::string& path, const Config& settings);

}  // namespace scaup::python
