// Hosted functions of a session: permission, compilation at the first need, and errors of hosts.
#include "main/session/session_languages.hpp"

#include <fmt/format.h>

#include <exception>

#include "common/throw.hpp"
#include "main/session/program_function.hpp"

namespace scaup {

namespace {

/// A session that calls more functions than this forgets them and compiles them anew.
constexpr size_t kMostKnown = 1000;

StoredFunction Describe(const FunctionEntry& function) {
  StoredFunction stored;
  stored.schema = function.schema;
  stored.name = function.name;
  stored.language = function.host_language;
  stored.source = function.body;
  for (const FunctionArgument& argument : function.inputs())
    stored.arguments.push_back({argument.name, argument.type});
  stored.result = function.result_type;
  switch (function.volatility) {
    case FunctionVolatility::kVolatile: stored.volatility = FunctionDefinition::Volatility::kVolatile; break;
    case FunctionVolatility::kStable: stored.volatility = FunctionDefinition::Volatility::kStable; break;
    case FunctionVolatility::kImmutable:
      stored.volatility = FunctionDefinition::Volatility::kImmutable;
      break;
  }
  stored.takes_nulls = !function.is_strict;
  stored.takes_all_rows = !function.is_mapped;
  stored.batch_rows = function.batch_rows;
  return stored;
}

FunctionHost::Body CompileBy(FunctionHost& host, const StoredFunction& function) {
  try {
    FunctionHost::Body body = host.Compile(function);
    if (body) return body;
    ThrowError(ErrorKind::kUsage, "38000", fmt::format("the host has made no function of {}", function.name));
  } catch (const Error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    ThrowError(ErrorKind::kIo, "38000",
               fmt::format("function {} could not be compiled: {}", function.name, error.what()));
  }
}

[[noreturn]] void ThrowOff(const FunctionEntry& function, std::optional<size_t> position) {
  ThrowError(ErrorKind::kUsage, "42501",
             fmt::format("function {} is written in {}, and functions of the database may not run: if you "
                         "trust the database, open it with the setting stored_functions = 'on'",
                         function.signature(), function.host_language),
             position);
}

[[noreturn]] void ThrowNoHost(const FunctionEntry& function, std::optional<size_t> position) {
  ThrowError(ErrorKind::kNotSupported, sqlstate::kFeatureNotSupported,
             fmt::format("this program has no {}, in which function {} is written: call it from a program "
                         "that registers the language, as the module for Python does for python",
                         function.host_language, function.signature()),
             position);
}

}  // namespace

/// A function with its body, once it is compiled. Thread-safe.
class SessionLanguages::Compiled {
 public:
  Compiled(FunctionEntryRef entry, bool is_allowed, std::shared_ptr<FunctionHost> host)
      : entry_(std::move(entry)), is_allowed_(is_allowed), host_(std::move(host)) {}

  void Require(std::optional<size_t> position) {
    if (!is_allowed_) ThrowOff(*entry_, position);
    if (!host_) ThrowNoHost(*entry_, position);
    const MutexLock lock(mutex_);
    if (!body_) body_ = CompileBy(*host_, Describe(*entry_));
  }

  void Call(const QueryResult& arguments, FunctionOutput& result) {
    Require(std::nullopt);
    body()(arguments, result);
  }

 private:
  const FunctionHost::Body& body() {
    const MutexLock lock(mutex_);
    return body_;  // It never changes again.
  }

  const FunctionEntryRef entry_;
  const bool is_allowed_;
  const std::shared_ptr<FunctionHost> host_;
  Mutex mutex_;
  FunctionHost::Body body_ SCAUP_GUARDED_BY(mutex_);
};

SessionLanguages::SessionLanguages(const RegisteredLanguages& of_database, bool is_allowed,
                                   std::shared_ptr<MemoryTracker> memory)
    : of_database_(of_database), is_allowed_(is_allowed), memory_(std::move(memory)) {}

SessionLanguages::~SessionLanguages() = default;

void SessionLanguages::Register(std::string_view name, std::shared_ptr<FunctionHost> host) {
  own_.Register(name, std::move(host));
}

std::shared_ptr<FunctionHost> SessionLanguages::HostOf(const FunctionEntry& function) const {
  std::shared_ptr<FunctionHost> own = own_.Find(function.host_language);
  return own ? own : of_database_.Find(function.host_language);
}

SessionLanguages::Known& SessionLanguages::KnownOf(const FunctionEntryRef& function) {
  std::shared_ptr<FunctionHost> host = HostOf(*function);
  const auto found = known_.find(function.get());
  if (found != known_.end() && found->second.host == host) return found->second;
  if (known_.size() >= kMostKnown) known_.clear();
  const StoredFunction stored = Describe(*function);
  auto compiled = std::make_shared<Compiled>(function, is_allowed_, host);
  FunctionDefinition definition;
  definition.name = stored.name;
  for (const StoredFunction::Argument& argument : stored.arguments)
    definition.arguments.push_back(argument.type);
  definition.result = stored.result;
  definition.volatility = stored.volatility;
  definition.takes_nulls = stored.takes_nulls;
  definition.takes_all_rows = stored.takes_all_rows;
  definition.batch_rows = stored.batch_rows;
  definition.body = [compiled](const QueryResult& arguments, FunctionOutput& result) {
    compiled->Call(arguments, result);
  };
  ScalarFunction callable = MakeProgramFunction(stored.name, std::move(definition), memory_);
  return known_[function.get()] = {function, std::move(host), std::move(compiled), std::move(callable)};
}

ScalarFunction SessionLanguages::FunctionOf(const FunctionEntryRef& function, size_t position) {
  SCAUP_ASSERT(function->is_hosted());
  calls_.emplace_back(function, position);
  return KnownOf(function).function;
}

void SessionLanguages::CheckSource(const FunctionEntryRef& function, size_t position) {
  const std::shared_ptr<FunctionHost> host = HostOf(*function);
  if (!host) return;
  try {
    CompileBy(*host, Describe(*function));
  } catch (const Error& error) {
    Error placed(error.kind(), error.sqlstate(), error.message());
    placed.SetPositionIfUnknown(position);
    throw placed;
  }
}

void SessionLanguages::ForgetCalls() { calls_.clear(); }

void SessionLanguages::RequireCalls() {
  for (const auto& [function, position] : calls_) KnownOf(function).compiled->Require(position);
}

}  // namespace scaup
