// Hosts of languages: a map under a lock.
#include "main/database/registered_languages.hpp"

#include <algorithm>
#include <utility>

#include "common/throw.hpp"

namespace scaup {

FunctionHost::~FunctionHost() = default;

void RegisteredLanguages::Register(std::string_view name, std::shared_ptr<FunctionHost> host) {
  std::string folded(name);
  std::transform(folded.begin(), folded.end(), folded.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  if (folded.empty() || folded == "sql") {
    ThrowError(ErrorKind::kUsage, sqlstate::kInvalidParameterValue,
               "a language needs a name, and SQL has no host");
  }
  const MutexLock lock(mutex_);
  hosts_[folded].swap(host);
}

std::shared_ptr<FunctionHost> RegisteredLanguages::Find(const std::string& name) const {
  const MutexLock lock(mutex_);
  const auto found = hosts_.find(name);
  return found == hosts_.end() ? nullptr : found->second;
}

}  // namespace scaup
