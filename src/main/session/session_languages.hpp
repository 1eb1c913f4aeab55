// Session languages: what one connection calls of the functions of the catalog in hosted languages.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "binder/scope/hosted_functions.hpp"
#include "common/memory/memory_tracker.hpp"
#include "main/database/registered_languages.hpp"

namespace scaup {

/// Compiles each function once for its session, when a statement first needs it. Owned by the session and
/// guarded by its mutex, but for the functions that it returns, which any thread may call.
class SessionLanguages final : public HostedFunctions {
 public:
  /// `is_allowed` is the setting stored_functions. Borrows the hosts of the database.
  SessionLanguages(const RegisteredLanguages& of_database, bool is_allowed,
                   std::shared_ptr<MemoryTracker> memory);
  ~SessionLanguages() override;
  SessionLanguages(const SessionLanguages&) = delete;
  SessionLanguages& operator=(const SessionLanguages&) = delete;

  /// Sets this session's own host of a language.
  void Register(std::string_view name, std::shared_ptr<FunctionHost> host);

  ScalarFunction FunctionOf(const FunctionEntryRef& function, size_t position) override;
  AggregateFunction AggregateOf(const FunctionEntryRef& function) override;
  RowsFunctionRef RowsOf(const FunctionEntryRef& function) override;
  void NoteCall(const FunctionEntryRef& function, size_t position) override;
  void CheckSource(const FunctionEntryRef& function, size_t position) override;
  void ForgetCalls() override;
  void RequireCalls() override;

 private:
  class Compiled;
  struct Known {
    FunctionEntryRef entry;
    std::shared_ptr<FunctionHost> host;  // that it was made with
    std::shared_ptr<Compiled> compiled;
    ScalarFunction function;      // of a scalar function
    AggregateFunction aggregate;  // of an aggregate
    RowsFunctionRef rows;         // of a table function
  };

  std::shared_ptr<FunctionHost> HostOf(const FunctionEntry& function) const;
  Known& KnownOf(const FunctionEntryRef& function);
  ScalarFunction MakeScalar(const StoredFunction& stored, std::shared_ptr<Compiled> compiled) const;
  AggregateFunction MakeAggregate(const StoredFunction& stored, std::shared_ptr<Compiled> compiled) const;
  RowsFunctionRef MakeTable(const StoredFunction& stored, std::shared_ptr<Compiled> compiled) const;

  const RegisteredLanguages& of_database_;
  RegisteredLanguages own_;
  const bool is_allowed_;
  const std::shared_ptr<MemoryTracker> memory_;
  std::map<const FunctionEntry*, Known> known_;
  std::vector<std::pair<FunctionEntryRef, size_t>> calls_;
};

}  // namespace scaup
