// Registered languages: the hosts of the languages of stored functions.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "common/lock/mutex.hpp"
#include "scaup/function_host.hpp"

namespace scaup {

/// Hosts by the names of their languages, without regard to case. Thread-safe. Hosts are destroyed without
/// the lock, because they belong to the program.
class RegisteredLanguages {
 public:
  /// Sets the host of a language; null removes it. Throws Error(kUsage, 22023) for "" and "sql".
  void Register(std::string_view name, std::shared_ptr<FunctionHost> host);
  /// Returns the host of a language, whose name is in lower case; null if it has none.
  std::shared_ptr<FunctionHost> Find(const std::string& name) const;

 private:
  mutable Mutex mutex_;
  std::map<std::string, std::shared_ptr<FunctionHost>> hosts_ SCAUP_GUARDED_BY(mutex_);
};

}  // namespace scaup
