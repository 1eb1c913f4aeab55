// COPY ... FROM STDIN (FORMAT arrow): columns of a client, as Arrow's streaming format has them.
#pragma once

#include <exception>

#include "copy_data.hpp"
#include "scaup/arrow.h"
#include "scaup/arrow_ipc.hpp"

namespace scaup::server {

/// Reads batches while an INSERT asks for them, one thread at a time. Outlives the INSERT.
class ClientBatches {
 public:
  explicit ClientBatches(ClientState& client) : data_(client) {}
  ClientBatches(const ClientBatches&) = delete;
  ClientBatches& operator=(const ClientBatches&) = delete;

  /// Exports the stream of the batches. Borrows this.
  void Export(ArrowArrayStream* out);
  /// Throws what has ended the stream, which the INSERT only knows as a failure of its source.
  void Rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }
  void Drain() { data_.Drain(); }

 private:
  /// Reads data until `read` returns true. Returns false at the end of the data.
  template <typename Read>
  bool ReadUntil(const Read& read);
  /// Calls `work`; keeps what it throws. Returns 0 or EIO, as the interface wants it.
  template <typename Work>
  int Answer(const Work& work);

  CopyData data_;
  ArrowIpcReader reader_;
  std::exception_ptr failure_;
};

}  // namespace scaup::server
