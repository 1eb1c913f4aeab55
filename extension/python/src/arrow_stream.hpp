// The Arrow PyCapsule interface: how other packages of Python take tables without knowing us.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>

#include "scaup/arrow.h"
#include "scaup/result.hpp"

namespace scaup::python {

/// The names that the interface gives to capsules.
inline constexpr const char* kStreamName = "arrow_array_stream";
inline constexpr const char* kSchemaName = "arrow_schema";
inline constexpr const char* kArrayName = "arrow_array";

/// Releases what is in a structure of Arrow, unless that was moved out of it, and the structure itself.
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

/// A capsule named "arrow_array_stream", which releases the stream unless a consumer has taken it.
pybind11::capsule MakeStreamCapsule(OwnedStream stream);
/// The same of a type, "arrow_schema", and of an array, "arrow_array".
pybind11::capsule MakeSchemaCapsule(OwnedSchema schema);
pybind11::capsule MakeArrayCapsule(OwnedArray array);
/// A capsule named "arrow_schema" of what a stream has.
pybind11::capsule MakeSchemaCapsule(ArrowArrayStream* stream);

/// A result with the options that its consumer wants; it is handed to other packages in the place of the
/// result.
class ArrowExport {
 public:
  ArrowExport(QueryResult rows, ArrowOptions options) : rows_(std::move(rows)), options_(options) {}
  /// `requested`: None, or a capsule "arrow_schema" by which the consumer says what it would rather have;
  /// string views are given where it names them.
  pybind11::capsule Stream(pybind11::handle requested) const;
  pybind11::capsule Schema() const;

 private:
  QueryResult rows_;
  ArrowOptions options_;
};

void BindArrow(pybind11::module_& module);

}  // namespace scaup::python
