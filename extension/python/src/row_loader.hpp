// Row loader: inserts lists of dicts into tables and collections.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <string>

#include "session.hpp"

namespace scaup::python {

/// Inserts each dict of an iterable as a document into a collection, or as a row into a table, whose columns
/// the keys name. Creates a collection if nothing has that name. Either all rows are inserted or none, within
/// the session's transaction if one is open. Returns their number. Python values are converted in batches
/// with the GIL; the database works without it. Errors name the dict by its position, rows[i].
size_t LoadRows(const std::shared_ptr<Session>& session, const std::string& schema, const std::string& table,
                pybind11::handle rows);

}  // namespace scaup::python
