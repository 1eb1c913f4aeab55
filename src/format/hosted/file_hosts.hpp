// Registered file hosts: which file system has the paths of a scheme.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "common/lock/mutex.hpp"
#include "scaup/file_host.hpp"

namespace scaup {

/// Returns the scheme of a path "scheme://...", in lower case; "" if it has none.
std::string SchemeOf(std::string_view path);

/// Hosts by their schemes, without regard to case. Thread-safe. Hosts are destroyed without the lock, because
/// they belong to the program.
class FileHosts {
 public:
  /// `outer` are the hosts for schemes that have none here; null if there are none. Borrowed.
  explicit FileHosts(const FileHosts* outer = nullptr) : outer_(outer) {}

  /// Sets the host of a scheme; null removes it. Throws Error(kUsage, 22023) for a name that is no scheme.
  void Register(std::string_view scheme, std::shared_ptr<FileHost> host);
  /// Returns the host of a scheme, which is in lower case; null if it has none.
  std::shared_ptr<FileHost> Find(const std::string& scheme) const;

 private:
  const FileHosts* const outer_;
  mutable Mutex mutex_;
  std::map<std::string, std::shared_ptr<FileHost>> hosts_ SCAUP_GUARDED_BY(mutex_);
};

}  // namespace scaup
