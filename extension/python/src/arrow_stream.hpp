// The Arrow PyCapsule interface: how other packages of Python take tables without knowing us.
#pragma once

#include <pybind11/pybind11.h>

#include <functional>

#include "scaup/arrow.h"
#include "scaup/result.hpp"

namespace scaup::python {

/// A capsule named "arrow_array_stream", which releases the stream unless a consumer has taken it. `fill`
/// makes the stream, with the GIL held. `requested`: None, or a capsule "arrow_schema" by which the consumer
/// says what it would rather have; string views are given where it names them.
pybind11::capsule MakeStreamCapsule(ArrowOptions options, pybind11::handle requested,
                                    const std::function<void(ArrowArrayStream*, const ArrowOptions&)>& fill);
/// A capsule named "arrow_schema" of what such a stream has.
pybind11::capsule MakeSchemaCapsule(ArrowArrayStream* stream);

/// A result with the options that its consumer wants; it is handed to other packages in the place of the
/// result.
class ArrowExport {
 public:
  ArrowExport(QueryResult rows, ArrowOptions options) : rows_(std::move(rows)), options_(options) {}
  pybind11::capsule Stream(pybind11::handle requested) const;
  pybind11::capsule Schema() const;

 private:
  QueryResult rows_;
  ArrowOptions options_;
};

void BindArrow(pybind11::module_& module);

}  // namespace scaup::python
