// Hosts of languages: a map under a lock.
#include "main/database/registered_languages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "common/throw.hpp"

namespace scaup {

FunctionHost::~FunctionHost() = default;

bool FunctionHost::TakesConstants() const { return false; }

AggregateBodies FunctionHost::CompileAggregate(const StoredFunction& function) {
  ThrowError(ErrorKind::kNotSupported, sqlstate::kFeatureNotSupported,
             fmt::format("this program's {} has no aggregates, so {} cannot be called", function.language,
                         function.name));
}

FunctionHost::TableBody FunctionHost::CompileTable(const StoredFunction& function) {
  ThrowError(ErrorKind::kNotSupported, sqlstate::kFeatureNotSupported,
             fmt::format("this program's {} has no functions that return rows, so {} cannot be called",
                         function.language, function.name));
}

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
