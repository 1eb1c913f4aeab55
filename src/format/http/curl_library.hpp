// The part of libcurl that reads over HTTP, from the system's library.
#pragma once

#include <cstddef>
#include <cstdint>

namespace scaup {

/// Functions of libcurl; handles are opaque. Immutable; thread-safe.
struct CurlLibrary {
  // Names, options and results as in libcurl's documentation. Their numbers never change.
  int (*global_init)(long flags);
  void* (*easy_init)();
  int (*easy_setopt)(void* easy, int option, ...);
  int (*easy_perform)(void* easy);
  int (*easy_getinfo)(void* easy, int info, ...);
  void (*easy_reset)(void* easy);
  void (*easy_cleanup)(void* easy);
  const char* (*easy_strerror)(int code);

  static constexpr long kGlobalDefault = 3;
  enum Code {
    kOk = 0,
    kUrlMalformed = 3,
    kNoProxy = 5,
    kNoHost = 6,
    kNoConnection = 7,
    kPartialFile = 18,
    kWriteError = 23,
    kTimedOut = 28,
    kAborted = 42,
    kTooManyRedirects = 47
  };
  enum Option {
    kNoProgress = 43,
    kFollowLocation = 52,
    kMaxRedirects = 68,
    kFileTime = 69,
    kNoSignal = 99,
    kConnectTimeoutMillis = 156,
    kProtocols = 181,
    kRedirectProtocols = 182,
    kWriteData = 10001,
    kUrl = 10002,
    kRange = 10007,
    kErrorBuffer = 10010,
    kUserAgent = 10018,
    kHeaderData = 10029,
    kProgressData = 10057,
    kCaFile = 10065,
    kWriteFunction = 20011,
    kHeaderFunction = 20079,
    kProgressFunction = 20219
  };
  static constexpr long kHttpAndHttps = 1 | 2;
  static constexpr size_t kErrorBytes = 256;  ///< of the buffer of an error's text
  enum Info { kFileTimeInfo = 0x60000E };

  /// The system's library. Throws Error(kNotSupported) if there is none.
  static const CurlLibrary& Get();
};

}  // namespace scaup
