// Runs transfers by libcurl, which calls back with their contents.
#include "format/http/http_transfers.hpp"

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <exception>
#include <string_view>
#include <utility>

#include "common/blocked_signals.hpp"
#include "common/settings/settings.hpp"
#include "common/throw.hpp"
#include "format/http/curl_library.hpp"

namespace scaup {

namespace {

constexpr long kMostRedirects = 10;
constexpr size_t kMostIdle = 16;
constexpr long kFirstErrorStatus = 400;

using SteadyMoment = std::chrono::steady_clock::time_point;

/// A transfer that runs. What is thrown within libcurl is kept, as C has no exceptions.
struct RunningTransfer {
  const HttpRequest& request;
  const FileUse& use;
  std::chrono::milliseconds timeout{0};  // 0: none
  int64_t received_bytes = 0;
  SteadyMoment last_progress = std::chrono::steady_clock::now();
  HttpAnswer answer = {};
  std::exception_ptr thrown = nullptr;

  template <typename Work>
  bool Keep(const Work& work) {
    try {
      work();
      return true;
    } catch (...) {
      thrown = std::current_exception();
      return false;
    }
  }
};

std::string_view TrimHeader(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

bool IsHeader(std::string_view name, std::string_view lower_name) {
  if (name.size() != lower_name.size()) return false;
  for (size_t i = 0; i < name.size(); i++) {
    const char c = name[i] >= 'A' && name[i] <= 'Z' ? static_cast<char>(name[i] + 32) : name[i];
    if (c != lower_name[i]) return false;
  }
  return true;
}

std::optional<uint64_t> HeaderNumber(std::string_view text) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end != text.data() ? std::optional(number) : std::nullopt;
}

/// "HTTP/1.1 404 Not Found": an answer begins, after a redirection another one.
void ReadStatusLine(std::string_view line, HttpAnswer& answer) {
  answer = HttpAnswer();
  const size_t blank = line.find(' ');
  if (blank == std::string_view::npos) return;
  line = TrimHeader(line.substr(blank));
  answer.status = static_cast<long>(HeaderNumber(line).value_or(0));
  const size_t reason = line.find(' ');
  if (reason != std::string_view::npos) answer.reason = TrimHeader(line.substr(reason));
}

/// "bytes 0-99/1000", "bytes */0".
void ReadContentRange(std::string_view text, HttpAnswer& answer) {
  constexpr std::string_view kUnit = "bytes ";
  if (!text.starts_with(kUnit)) return;
  text.remove_prefix(kUnit.size());
  answer.range_begin = HeaderNumber(text);
  const size_t slash = text.find('/');
  if (slash != std::string_view::npos) answer.range_total = HeaderNumber(text.substr(slash + 1));
}

void ReadHeader(std::string_view line, HttpAnswer& answer) {
  if (line.starts_with("HTTP/")) return ReadStatusLine(line, answer);
  const size_t colon = line.find(':');
  if (colon == std::string_view::npos) return;
  const std::string_view name = line.substr(0, colon), value = TrimHeader(line.substr(colon + 1));
  if (IsHeader(name, "etag")) answer.etag = value;
  if (IsHeader(name, "last-modified")) answer.last_modified = value;
  if (IsHeader(name, "content-range")) ReadContentRange(value, answer);
}

size_t TakeHeader(const char* bytes, size_t size, size_t count, void* transfer) {
  auto& running = *static_cast<RunningTransfer*>(transfer);
  return running.Keep([&] { ReadHeader({bytes, size * count}, running.answer); }) ? size * count : 0;
}

size_t TakeContents(const char* bytes, size_t size, size_t count, void* transfer) {
  auto& running = *static_cast<RunningTransfer*>(transfer);
  if (running.answer.status >= kFirstErrorStatus) return size * count;  // a page for people
  const auto take = [&] { running.request.take(running.answer, bytes, size * count); };
  return running.Keep(take) ? size * count : 0;
}

/// Refuses a transfer that stands still. libcurl's own test takes some seconds more than it is told.
void CheckProgress(RunningTransfer& running, int64_t received_bytes) {
  running.use.CheckInterrupt();
  const SteadyMoment now = std::chrono::steady_clock::now();
  if (received_bytes != running.received_bytes) {
    running.received_bytes = received_bytes;
    running.last_progress = now;
  }
  if (running.timeout.count() == 0 || now - running.last_progress < running.timeout) return;
  ThrowError(ErrorKind::kIo, sqlstate::kIoError,
             fmt::format("could not read \"{}\": nothing has come for longer than the setting http_timeout "
                         "allows, {}",
                         running.request.url, running.use.Setting("http_timeout")));
}

int TakeProgress(void* transfer, int64_t, int64_t received_bytes, int64_t, int64_t) {
  auto& running = *static_cast<RunningTransfer*>(transfer);
  return running.Keep([&] { CheckProgress(running, received_bytes); }) ? 0 : 1;
}

[[noreturn]] void ThrowTransferError(const CurlLibrary& curl, int code, const char* details,
                                     const HttpRequest& request, const FileUse& use) {
  const std::string text = *details != '\0' ? details : curl.easy_strerror(code);
  const char* state = sqlstate::kIoError;
  std::string message = fmt::format("could not read \"{}\": {}", request.url, text);
  switch (code) {
    case CurlLibrary::kNoHost:
    case CurlLibrary::kNoProxy:
    case CurlLibrary::kNoConnection: state = "08001"; break;
    case CurlLibrary::kUrlMalformed: state = sqlstate::kInvalidParameterValue; break;
    case CurlLibrary::kPartialFile: message += ": the transfer was cut off"; break;
    case CurlLibrary::kTimedOut:
      message += fmt::format("; the setting http_timeout allows {}", use.Setting("http_timeout"));
      break;
    default: break;
  }
  ThrowError(ErrorKind::kIo, state, message);
}

/// Sets an option of a handle; a value that libcurl does not take is found by the transfer.
template <typename Value>
void SetOption(const CurlLibrary& curl, void* handle, CurlLibrary::Option option, Value value) {
  curl.easy_setopt(handle, option, value);
}

void SetTransfer(const CurlLibrary& curl, void* handle, RunningTransfer& transfer, char* error_text,
                 const std::string& range) {
  const auto timeout_ms =
      static_cast<long>(ParseDuration("http_timeout", transfer.use.Setting("http_timeout")));
  transfer.timeout = std::chrono::milliseconds(timeout_ms);
  curl.easy_reset(handle);  // keeps connections
  SetOption(curl, handle, CurlLibrary::kErrorBuffer, error_text);
  SetOption(curl, handle, CurlLibrary::kNoSignal, 1L);
  SetOption(curl, handle, CurlLibrary::kProtocols, CurlLibrary::kHttpAndHttps);
  SetOption(curl, handle, CurlLibrary::kRedirectProtocols, CurlLibrary::kHttpAndHttps);
  SetOption(curl, handle, CurlLibrary::kFollowLocation, 1L);
  SetOption(curl, handle, CurlLibrary::kMaxRedirects, kMostRedirects);
  SetOption(curl, handle, CurlLibrary::kConnectTimeoutMillis, timeout_ms);
  SetOption(curl, handle, CurlLibrary::kFileTime, 1L);
  SetOption(curl, handle, CurlLibrary::kUserAgent, "Scaup");
  SetOption(curl, handle, CurlLibrary::kUrl, transfer.request.url.c_str());
  SetOption(curl, handle, CurlLibrary::kRange, range.c_str());
  SetOption(curl, handle, CurlLibrary::kHeaderFunction, &TakeHeader);
  SetOption(curl, handle, CurlLibrary::kHeaderData, static_cast<void*>(&transfer));
  SetOption(curl, handle, CurlLibrary::kWriteFunction, &TakeContents);
  SetOption(curl, handle, CurlLibrary::kWriteData, static_cast<void*>(&transfer));
  SetOption(curl, handle, CurlLibrary::kNoProgress, 0L);
  SetOption(curl, handle, CurlLibrary::kProgressFunction, &TakeProgress);
  SetOption(curl, handle, CurlLibrary::kProgressData, static_cast<void*>(&transfer));
  const std::string authorities = transfer.use.Setting("http_ca_file");
  if (!authorities.empty()) SetOption(curl, handle, CurlLibrary::kCaFile, authorities.c_str());  // copied
}

}  // namespace

HttpTransfers::~HttpTransfers() {
  // A parent's connections must not be ended by its children.
  if (origin_.IsInherited()) return;
  for (void* const handle : idle_) CurlLibrary::Get().easy_cleanup(handle);
}

void* HttpTransfers::TakeHandle() {
  origin_.RequireOwn();
  {
    const MutexLock lock(mutex_);
    if (!idle_.empty()) {
      void* const handle = idle_.back();
      idle_.pop_back();
      return handle;
    }
  }
  void* const handle = CurlLibrary::Get().easy_init();
  if (handle == nullptr)
    ThrowError(ErrorKind::kOutOfMemory, sqlstate::kOutOfMemory, "out of memory: libcurl makes no handle");
  return handle;
}

void HttpTransfers::GiveBack(void* handle) {
  {
    const MutexLock lock(mutex_);
    if (idle_.size() < kMostIdle) return idle_.push_back(handle);
  }
  CurlLibrary::Get().easy_cleanup(handle);
}

HttpAnswer HttpTransfers::Get(const HttpRequest& request, const FileUse& use) {
  const CurlLibrary& curl = CurlLibrary::Get();
  RunningTransfer transfer{.request = request, .use = use};
  char error_text[CurlLibrary::kErrorBytes] = "";
  void* const handle = TakeHandle();
  int code = CurlLibrary::kOk;
  const bool is_set = transfer.Keep([&] {
    SetTransfer(curl, handle, transfer, error_text, fmt::format("{}-{}", request.begin, request.end - 1));
  });
  if (is_set) {
    const BlockedPipeSignal blocked;
    code = curl.easy_perform(handle);
  }
  int64_t modified_seconds = -1;
  curl.easy_getinfo(handle, CurlLibrary::kFileTimeInfo, &modified_seconds);
  curl.easy_reset(handle);  // It must not point to this transfer any more.
  GiveBack(handle);
  if (transfer.thrown) std::rethrow_exception(transfer.thrown);
  if (code != CurlLibrary::kOk) ThrowTransferError(curl, code, error_text, request, use);
  if (modified_seconds >= 0) transfer.answer.modified_micros = modified_seconds * 1'000'000;
  return std::move(transfer.answer);
}

}  // namespace scaup
