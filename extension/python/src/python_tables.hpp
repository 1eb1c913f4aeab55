// Objects of Python as tables.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>

#include "arrow_stream.hpp"
#include "scaup/connection.hpp"

namespace scaup::python {

/// State that all tables of Python share which one session reads. Streams and factories hold it, too.
/// Guarded by the GIL.
class SourceContext {
 public:
  SourceContext() = default;
  SourceContext(const SourceContext&) = delete;
  SourceContext& operator=(const SourceContext&) = delete;
  ~SourceContext();

  /// Notes an exception of a table, which becomes the cause of the error that the statement ends with.
  void Note(const pybind11::error_already_set& error);
  /// Takes the last such exception away; null where there was none.
  pybind11::object Take() { return std::move(failure_); }

 private:
  pybind11::object failure_;
};

/// While it lives, this thread runs code of a table of Python for a statement of the context's session. That
/// is locked meanwhile: a statement on it that this code ran would wait for ever.
class ReadingSource {
 public:
  explicit ReadingSource(std::shared_ptr<SourceContext> context);
  ~ReadingSource();
  ReadingSource(const ReadingSource&) = delete;
  ReadingSource& operator=(const ReadingSource&) = delete;
  /// Whether this thread does so, maybe for a table that reads one of another session.
  static bool IsReading(const SourceContext& context);
  /// The context of the innermost one of this thread; null where there is none.
  static std::shared_ptr<SourceContext> InnermostContext();

 private:
  const std::shared_ptr<SourceContext> context_;
  const ReadingSource* const outer_;
};

/// The stream of an object with __arrow_c_stream__. The batches of a reader of pyarrow are asked for by its
/// methods in Python, since exceptions of a generator behind it do not come through a stream of C. Needs the
/// GIL; raises a Python exception. REQUIRES: within a ReadingSource.
OwnedStream OpenStream(pybind11::handle object);
/// A factory of streams of an object: `open` is called with a tuple of names and gives an object with
/// __arrow_c_stream__. Needs the GIL, takes it by itself when it is called or destroyed.
ArrowFactory MakeFactory(pybind11::object open, std::shared_ptr<SourceContext> context);
/// An exception of Python as an error of Scaup, which a statement may end with.
[[noreturn]] void ThrowPythonError(const pybind11::error_already_set& error, SourceContext& context);

void BindTables(pybind11::module_& module);

}  // namespace scaup::python
