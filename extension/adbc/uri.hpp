// URIs of databases.
#pragma once

#include <string>
#include <string_view>

#include "scaup/database.hpp"

namespace scaup::adbc {

/// The parts of a URI: the path of a database, and settings.
struct DatabaseUri {
  std::string path;  ///< ":memory:" for a database in memory
  Config settings;
};

/// Parses "scaup:path?setting=value&...", "scaup:///absolute/path", "scaup://" and the same with "file:". A
/// text without one of these schemes is a path as it is. In URIs, %xx stands for a byte. Throws
/// StatusError(INVALID_ARGUMENT) for a URI with a host, or a broken %xx.
DatabaseUri ParseUri(std::string_view uri);

}  // namespace scaup::adbc
