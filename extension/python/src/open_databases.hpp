// The databases that this module has open, so that connections to one path share one.
#pragma once

#include <memory>
#include <string>

#include "scaup/database.hpp"

namespace scaup::python {

/// A database as its connections hold it, all by shared_ptr: it closes with the last of them.
struct OpenDatabase {
  Database database;
};

/// The database at `path`: the one that is open in this process already, or else it is opened. Paths are the
/// same where they lead to the same file. A database in memory is always another one. Waits while another
/// thread opens or closes it. A child made by fork knows nothing of its parent's.
///
/// Throws Error(kIo, 55006) where it is open with other settings than those in `settings`; what was not given
/// then or now does not matter, but for access_mode. Needs no GIL.
std::shared_ptr<OpenDatabase> OpenShared(const std::string& path, const Config& settings);

}  // namespace scaup::python
