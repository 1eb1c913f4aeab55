// File hosts: a map under a lock.
#include "format/hosted/file_hosts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "common/throw.hpp"

namespace scaup {

namespace {

bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool IsScheme(std::string_view text) {
  return !text.empty() && IsLetter(text[0]) && std::ranges::all_of(text, [](char c) {
    return IsLetter(c) || (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.' || c == '_';
  });
}

std::string LowerScheme(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return lower;
}

}  // namespace

std::string SchemeOf(std::string_view path) {
  const size_t end = path.find("://");
  if (end == std::string_view::npos || !IsScheme(path.substr(0, end))) return "";
  return LowerScheme(path.substr(0, end));
}

void FileHosts::Register(std::string_view scheme, std::shared_ptr<FileHost> host) {
  if (!IsScheme(scheme)) {
    ThrowError(ErrorKind::kUsage, sqlstate::kInvalidParameterValue,
               fmt::format("\"{}\" is no scheme of paths: give what stands before ://, such as s3", scheme));
  }
  const std::string name = LowerScheme(scheme);
  const MutexLock lock(mutex_);
  hosts_[name].swap(host);
}

std::shared_ptr<FileHost> FileHosts::Find(const std::string& scheme) const {
  {
    const MutexLock lock(mutex_);
    const auto found = hosts_.find(scheme);
    if (found != hosts_.end() && found->second) return found->second;
  }
  return outer_ == nullptr ? nullptr : outer_->Find(scheme);
}

}  // namespace scaup
