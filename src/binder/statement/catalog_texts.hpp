// SQL texts stored in the catalog: finds those that are no longer valid after a name has been dropped.
#pragma once

#include <string>
#include <vector>

#include "binder/scope/bind_session.hpp"

namespace scaup {

/// A stored text that cannot be bound: the query of a view, or a default, check or generation expression.
struct BrokenText {
  ViewEntryRef view;    ///< null for texts of tables
  TableEntryRef table;  ///< null for views
  enum class Kind : uint8_t { kView, kDefault, kCheck, kGenerated } kind = Kind::kView;
  std::string name;   ///< name of the column or constraint
  std::string error;  ///< the message of the binder

  /// Returns, for example, "view \"v\"" or "default value of column \"a\" of table \"t\"".
  std::string Describe() const;
};

/// Binds every text of the catalog and returns those that fail. Can be interrupted like a statement.
std::vector<BrokenText> FindBrokenTexts(const BinderContext& context);

}  // namespace scaup
