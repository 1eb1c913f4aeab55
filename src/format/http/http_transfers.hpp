// Transfers over HTTP and HTTPS.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "common/lock/mutex.hpp"
#include "common/process_origin.hpp"
#include "scaup/file_host.hpp"

namespace scaup {

/// The answer of a server, without the contents.
struct HttpAnswer {
  long status = 0;
  std::string reason;                      ///< of the status: "Not Found"; "" if there is none
  std::string etag;                        ///< "" if there is none
  std::string last_modified;               ///< the same
  std::optional<uint64_t> range_begin;     ///< of Content-Range
  std::optional<uint64_t> range_total;     ///< the size of the whole file there
  std::optional<int64_t> modified_micros;  ///< the time of `last_modified`
};

/// A request for a file.
struct HttpRequest {
  std::string url;
  /// Bytes that are wanted, from `begin` to before `end`.
  uint64_t begin = 0, end = 0;
  /// Takes the contents, piece by piece, of an answer whose status is not an error. An exception ends the
  /// transfer, and goes on.
  std::function<void(const HttpAnswer& answer, const char* bytes, size_t size_bytes)> take;
};

/// Connections that are open, for all files of a database. Thread-safe.
class HttpTransfers {
 public:
  HttpTransfers() = default;
  ~HttpTransfers();
  HttpTransfers(const HttpTransfers&) = delete;
  HttpTransfers& operator=(const HttpTransfers&) = delete;

  /// Asks for bytes of a file, and follows redirections. Returns every answer, of whatever status. Throws
  /// Error(kNotSupported) without libcurl; Error(kIo): 08001 without a connection, 58030 for a transfer that
  /// ends early, stands still for longer than the setting http_timeout, or is none of HTTP.
  HttpAnswer Get(const HttpRequest& request, const FileUse& use);

 private:
  void* TakeHandle();
  void GiveBack(void* handle);

  const ProcessOrigin origin_;
  Mutex mutex_;
  std::vector<void*> idle_ SCAUP_GUARDED_BY(mutex_);  // handles, each with its connections
};

}  // namespace scaup
