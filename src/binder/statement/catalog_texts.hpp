// The SQL texts that the catalog keeps: what no longer means anything after a name is gone.
#pragma once

#include <string>
#include <vector>

#include "binder/scope/bind_session.hpp"

namespace scaup {

/// The query of a view, or a default, check or generation expression of a table, that cannot be bound.
struct BrokenText {
  ViewEntryRef view;    ///< null for texts of tables
  TableEntryRef table;  ///< null for views
  enum class Kind : uint8_t { kView, kDefault, kCheck, kGenerated } kind = Kind::kView;
  std::string name;   ///< of the column or constraint
  std::string error;  ///< what binding says

  /// "view \"v\"", "default value of column \"a\" of table \"t\"".
  std::string Describe() const;
};

/// Binds every text of the catalog. Interrupted as statements are.
std::vector<BrokenText> FindBrokenTexts(const BinderContext& context);

}  // namespace scaup
