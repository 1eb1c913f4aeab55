// Copies of whole databases.
#pragma once

#include <string>

#include "scaup/scaup.hpp"

namespace scaup::sqlite {

/// Makes the database of `target` the same as that of `source`, with all that is committed there. Throws
/// Error, and then `target` may be without its tables.
void CopyDatabase(Connection& source, Connection& target);
/// Returns a database as the bytes of a file.
std::string SerializeDatabase(Connection& source);
/// Makes the database of `target` the same as that in the bytes of a file. Throws Error if these are none.
void DeserializeDatabase(std::string_view bytes, Connection& target);

}  // namespace scaup::sqlite
