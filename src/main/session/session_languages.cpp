// Hosted functions of a session: permission, compilation at the first need, and errors of hosts.
#include "main/session/session_languages.hpp"

#include <fmt/format.h>

#include <exception>

#include "common/throw.hpp"
#include "main/session/program_aggregate.hpp"
#include "main/session/program_function.hpp"
#include "main/session/program_table.hpp"

namespace scaup {

namespace {

/// A session that calls more functions than this forgets them and compiles them anew.
constexpr size_t kMostKnown = 1000;

StoredFunction Describe(const FunctionEntry& function) {
  StoredFunction stored;
  stored.kind = function.is_aggregate()                    ? StoredFunction::Kind::kAggregate
                : function.result == FunctionResult::kRows ? StoredFunction::Kind::kTable
                                                           : StoredFunction::Kind::kScalar;
  stored.schema = function.schema;
  stored.name = function.name;
  stored.language = function.host_language;
  stored.source = function.body;
  for (const FunctionArgument& argument : function.inputs()) {
    StoredFunction::Argument& described = stored.arguments.emplace_back();
    described.name = argument.name;
    described.type = argument.type;
    described.is_rows = argument.mode == ArgumentMode::kRows;
    if (!described.is_rows) continue;
    for (const StructField& field : argument.type.fields())
      described.columns.push_back({field.name, field.type});
  }
  for (const FunctionArgument& column : function.columns())
    stored.columns.push_back({column.name, column.type});
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

/// A function as a host has compiled it: the parts of its kind.
struct CompiledBodies {
  FunctionHost::Body scalar;
  AggregateBodies aggregate;
  FunctionHost::TableBody table;
};

bool IsWhole(const AggregateBodies& bodies) {
  const bool has_state = !bodies.state.empty();
  return bodies.body && has_state == (bodies.accumulate != nullptr) && has_state == (bodies.merge != nullptr);
}

CompiledBodies CompileBy(FunctionHost& host, const StoredFunction& function) {
  try {
    CompiledBodies bodies;
    bool is_made = false;
    switch (function.kind) {
      case StoredFunction::Kind::kScalar:
        bodies.scalar = host.Compile(function);
        is_made = bodies.scalar != nullptr;
        break;
      case StoredFunction::Kind::kAggregate:
        bodies.aggregate = host.CompileAggregate(function);
        is_made = IsWhole(bodies.aggregate);
        break;
      case StoredFunction::Kind::kTable:
        bodies.table = host.CompileTable(function);
        is_made = bodies.table != nullptr;
        break;
    }
    if (is_made) return bodies;
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

/// A function with its bodies, once it is compiled. Thread-safe.
class SessionLanguages::Compiled {
 public:
  Compiled(FunctionEntryRef entry, bool is_allowed, std::shared_ptr<FunctionHost> host)
      : entry_(std::move(entry)), is_allowed_(is_allowed), host_(std::move(host)) {}

  void Require(std::optional<size_t> position) {
    if (!is_allowed_) ThrowOff(*entry_, position);
    if (!host_) ThrowNoHost(*entry_, position);
    const MutexLock lock(mutex_);
    if (!bodies_) bodies_ = CompileBy(*host_, Describe(*entry_));
  }

  bool TakesConstants() const { return host_ && host_->TakesConstants(); }
  /// Returns the bodies, compiled if need be. They live as long as this.
  const CompiledBodies& Bodies() {
    Require(std::nullopt);
    const MutexLock lock(mutex_);
    return *bodies_;  // They never change again.
  }

 private:
  const FunctionEntryRef entry_;
  const bool is_allowed_;
  const std::shared_ptr<FunctionHost> host_;
  Mutex mutex_;
  std::optional<CompiledBodies> bodies_ SCAUP_GUARDED_BY(mutex_);
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
  Known& known = known_[function.get()] = {function, std::move(host), compiled, {}, {}, {}};
  if (function->result == FunctionResult::kRows) {
    known.rows = MakeTable(stored, std::move(compiled));
  } else if (function->is_aggregate()) {
    known.aggregate = MakeAggregate(stored, std::move(compiled));
  } else {
    known.function = MakeScalar(stored, std::move(compiled));
  }
  return known;
}

ScalarFunction SessionLanguages::MakeScalar(const StoredFunction& stored,
                                            std::shared_ptr<Compiled> compiled) const {
  FunctionDefinition definition;
  definition.name = stored.name;
  for (const StoredFunction::Argument& argument : stored.arguments)
    definition.arguments.push_back(argument.type);
  definition.result = stored.result;
  definition.volatility = stored.volatility;
  definition.takes_nulls = stored.takes_nulls;
  definition.takes_all_rows = stored.takes_all_rows;
  definition.batch_rows = stored.batch_rows;
  definition.takes_constants = compiled->TakesConstants();
  definition.body = [compiled](const FunctionArguments& arguments, FunctionOutput& result) {
    compiled->Bodies().scalar(arguments, result);
  };
  return MakeProgramFunction(stored.name, std::move(definition), memory_);
}

AggregateFunction SessionLanguages::MakeAggregate(const StoredFunction& stored,
                                                  std::shared_ptr<Compiled> compiled) const {
  ProgramAggregateParts parts;
  parts.name = stored.name;
  for (const StoredFunction::Argument& argument : stored.arguments) parts.arguments.push_back(argument.type);
  parts.result = stored.result;
  parts.takes_nulls = stored.takes_nulls;
  parts.batch_rows = stored.batch_rows;
  parts.bodies = [compiled = std::move(compiled)]() -> const AggregateBodies& {
    return compiled->Bodies().aggregate;
  };
  return MakeProgramAggregate(std::move(parts), memory_);
}

RowsFunctionRef SessionLanguages::MakeTable(const StoredFunction& stored,
                                            std::shared_ptr<Compiled> compiled) const {
  TableFunctionDefinition definition;
  definition.name = stored.name;
  for (const StoredFunction::Argument& argument : stored.arguments)
    definition.arguments.push_back({argument.name, argument.type, argument.is_rows, argument.columns});
  definition.columns = stored.columns;
  definition.takes_batches = !stored.takes_all_rows;
  definition.batch_rows = stored.batch_rows;
  definition.has_effects = stored.volatility == FunctionDefinition::Volatility::kVolatile;
  definition.omits_nulls = !stored.takes_nulls;
  definition.start = [compiled = std::move(compiled)](const TableCall& call) {
    return compiled->Bodies().table(call);
  };
  return MakeProgramTable(stored.name, std::move(definition), memory_);
}

ScalarFunction SessionLanguages::FunctionOf(const FunctionEntryRef& function, size_t position) {
  SCAUP_ASSERT(function->is_hosted());
  NoteCall(function, position);
  return KnownOf(function).function;
}

AggregateFunction SessionLanguages::AggregateOf(const FunctionEntryRef& function) {
  SCAUP_ASSERT(function->is_hosted() && function->is_aggregate());
  return KnownOf(function).aggregate;
}

RowsFunctionRef SessionLanguages::RowsOf(const FunctionEntryRef& function) {
  SCAUP_ASSERT(function->is_hosted() && function->result == FunctionResult::kRows);
  return KnownOf(function).rows;
}

void SessionLanguages::NoteCall(const FunctionEntryRef& function, size_t position) {
  calls_.emplace_back(function, position);
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
