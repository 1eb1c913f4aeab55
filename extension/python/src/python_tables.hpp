// Python tables: Python objects as tables of statements.
#pragma once

#include <pybind11/pybind11.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <set>
#include <vector>

#include "arrow_stream.hpp"
#include "scaup/connection.hpp"

namespace scaup::python {

/// State that all Python tables of one session share. Streams and factories share its ownership. Guarded by
/// the GIL.
class SourceContext : public std::enable_shared_from_this<SourceContext> {
 public:
  SourceContext() = default;
  SourceContext(const SourceContext&) = delete;
  SourceContext& operator=(const SourceContext&) = delete;
  ~SourceContext();

  /// Records an exception of a table. It becomes the cause of the error with which the statement ends.
  void Note(const pybind11::error_already_set& error);
  /// Removes and returns the last recorded exception; null if there is none.
  pybind11::object Take() { return std::move(failure_); }
  /// Raises scaup._functions.Interrupted in the threads that run bodies of functions; in one that imports a
  /// module when the import is over, since an import that ends in the middle may leave its lock taken for
  /// ever, and the module in halves. Needs the GIL.
  void InterruptBodies();

 private:
  friend class RunningBody;
  /// A body that a thread runs.
  struct Body {
    unsigned long thread;     // its identifier in Python
    pybind11::object frame;   // the one that the body was called in; null if there is none
    int64_t deadline_micros;  // of its statement, until it was interrupted for that; 0: none
  };
  bool IsImporting(unsigned long thread) const;
  /// Raises what was delayed, where the imports are over. Returns whether some are not. Needs the GIL.
  bool RaiseDelayed();
  /// Interrupts the bodies whose time is over. Returns whether others may follow. Needs the GIL.
  bool InterruptLate();
  /// Calls `again`, a method that returns whether to go on, every few milliseconds in a thread of its own.
  /// `is_repeating` says whether one does already.
  void Repeat(bool (SourceContext::*again)(), bool SourceContext::*is_repeating);

  pybind11::object failure_;
  std::vector<Body> bodies_;                     // the inner ones of a thread behind the outer ones
  std::set<unsigned long> interrupted_threads_;  // those that Interrupted was raised in
  std::set<unsigned long> delayed_threads_;      // those in which it will be
  std::chrono::steady_clock::time_point delayed_since_;
  bool is_repeating_ = false;  // whether a thread calls RaiseDelayed again and again
  bool is_watching_ = false;   // likewise, InterruptLate
};

/// Says, while it lives, that this thread runs the body of a function of Python. Needs the GIL.
class RunningBody {
 public:
  explicit RunningBody(SourceContext& context);
  ~RunningBody();
  RunningBody(const RunningBody&) = delete;
  RunningBody& operator=(const RunningBody&) = delete;

 private:
  SourceContext& context_;
};

/// Marks this thread, while it lives, as running code of a Python table for a statement of the context's
/// session. The session is locked meanwhile, so another statement of this code on it would wait forever.
class ReadingSource {
 public:
  explicit ReadingSource(std::shared_ptr<SourceContext> context);
  ~ReadingSource();
  ReadingSource(const ReadingSource&) = delete;
  ReadingSource& operator=(const ReadingSource&) = delete;
  /// Returns whether this thread runs code of a table for the context's session, perhaps nested within code
  /// for other sessions.
  static bool IsReading(const SourceContext& context);
  /// Returns the context of this thread's innermost mark; null if there is none.
  static std::shared_ptr<SourceContext> InnermostContext();

 private:
  const std::shared_ptr<SourceContext> context_;
  const ReadingSource* const outer_;
};

/// Opens the stream of an object with __arrow_c_stream__. A pyarrow reader is read by its Python methods
/// instead: a C stream would lose the exceptions of a generator behind it. Needs the GIL; raises Python
/// exceptions. REQUIRES: a ReadingSource lives in this thread.
OwnedStream OpenStream(pybind11::handle object);
/// Makes a factory of streams. It calls `open` with a tuple of column names, which returns an object with
/// __arrow_c_stream__. MakeFactory needs the GIL; the factory acquires it itself when it is called or
/// destroyed.
ArrowFactory MakeFactory(pybind11::object open, std::shared_ptr<SourceContext> context);
/// Throws a Python exception as an Error, with which a statement may end, and records it in `context`.
[[noreturn]] void ThrowPythonError(const pybind11::error_already_set& error, SourceContext& context);

void BindTables(pybind11::module_& module);

}  // namespace scaup::python
