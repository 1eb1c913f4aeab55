// Inner texts: the statements that functions of a session have run within others, parsed and planned.
#pragma once

#include <atomic>
#include <list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/lock/mutex.hpp"
#include "main/statement/prepared_plan.hpp"
#include "main/statement/result_data.hpp"
#include "parser/ast/statement.hpp"

namespace scaup {

/// A text that came before, with its plan once it has come twice.
struct InnerText {
  std::string sql;                 ///< the text; of a statement of a trigger's function, what tells it apart
  std::vector<LogicalType> types;  ///< of the parameters
  ast::StatementPtr statement;
  PreparedPlan prepared;
  bool was_run = false;
  /// Its rows for the values `answered`, if they are the same for the rest of the statement; otherwise null.
  std::shared_ptr<const ResultData> answer = nullptr;
  std::vector<Value> answered = {};
  /// The inner statements among which the plan was made, during which the catalog does not change; otherwise
  /// null.
  const void* prepared_by = nullptr;
};

/// Keeps the texts that were used last, for the functions that later statements call. A text is taken out
/// while a statement uses it, as the queries of functions that it calls may have the same text. Owned by a
/// session; thread-safe.
class InnerTexts {
 public:
  /// Takes a text with parameters of these types out; null if it is not there.
  std::unique_ptr<InnerText> Take(std::string_view sql, std::span<const LogicalType> types);
  /// Puts a text back, or a new one in. Its plan is kept if it can serve another statement.
  void Give(std::unique_ptr<InnerText> text);
  /// Drops all plans if the catalog has another version, so that dropped tables do not live on in them.
  void Follow(uint64_t catalog_version);

 private:
  std::unique_ptr<InnerText> TakeLocked(std::string_view sql, std::span<const LogicalType> types)
      SCAUP_REQUIRES_LOCK(mutex_);

  Mutex mutex_;
  std::list<std::unique_ptr<InnerText>> texts_ SCAUP_GUARDED_BY(mutex_);  // the one used last comes first
  std::atomic<uint64_t> catalog_version_{0};
};

}  // namespace scaup
