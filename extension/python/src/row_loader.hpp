// Lists of dicts into tables and collections.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <string>

#include "session.hpp"

namespace scaup::python {

/// Puts each dict of an iterable into a collection, as a document, or into a table, whose columns its keys
/// name. Makes a collection where nothing has that name. All or nothing, within the session's transaction
/// where one is open. Returns how many. Python values are converted with the GIL, in batches; the database
/// works without it. Errors name the dict they are about by its place, rows[i].
size_t LoadRows(const std::shared_ptr<Session>& session, const std::string& schema, const std::string& table,
                pybind11::handle rows);

}  // namespace scaup::python
