// The Arrow PyCapsule interface, by which other Python packages read tables without depending on Scaup.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>

#include "scaup/arrow.h"
#include "scaup/result.hpp"

namespace scaup::python {

/// The names of capsules in the interface.
inline constexpr const char* kStreamName = "arrow_array_stream";
inline constexpr const char* kSchemaName = "arrow_schema";
inline constexpr const char* kArrayName = "arrow_array";

/// Deletes an Arrow structure, and releases its content unless that was moved out of it.
struct ArrowReleaser {
  template <typename T>
  void operator()(T* owned) const {
    if (owned->release != nullptr) owned->release(owned);
    delete owned;
  }
};
using OwnedStream = std::unique_ptr<ArrowArrayStream, ArrowReleaser>;
using OwnedSchema = std::unique_ptr<ArrowSchema, ArrowReleaser>;
using OwnedArray = std::unique_ptr<ArrowArray, ArrowReleaser>;

/// Makes a capsule "arrow_array_stream", which releases the stream unless a consumer has moved it out. Needs
/// the GIL, as do the next three.
pybind11::capsule MakeStreamCapsule(OwnedStream stream);
/// Make capsules "arrow_schema" and "arrow_array" in the same way.
pybind11::capsule MakeSchemaCapsule(OwnedSchema schema);
pybind11::capsule MakeArrayCapsule(OwnedArray array);
/// Makes a capsule "arrow_schema" with the type of a stream. Raises DataError if the stream fails.
pybind11::capsule MakeSchemaCapsule(ArrowArrayStream* stream);

/// A result with options for its export. Other packages get it in place of the result.
class ArrowExport {
 public:
  ArrowExport(QueryResult rows, ArrowOptions options) : rows_(std::move(rows)), options_(options) {}
  /// Makes a stream of the rows. `requested` is None, or a capsule "arrow_schema" with the types that the
  /// consumer prefers. Of these preferences only string views are respected.
  pybind11::capsule Stream(pybind11::handle requested) const;
  pybind11::capsule Schema() const;

 private:
  QueryResult rows_;
  ArrowOptions options_;
};

void BindArrow(pybind11::module_& module);

}  // namespace scaup::python
