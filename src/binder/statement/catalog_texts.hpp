// SQL texts stored in the catalog: finds those that are no longer valid after a name has been dropped.
#pragma once

#include <string>
#include <vector>

#include "binder/scope/bind_session.hpp"
#include "catalog/function_entry.hpp"

namespace scaup {

/// A stored text that cannot be bound: the query of a view, a default, check or generation expression, or
/// the body of a function.
struct BrokenText {
  ViewEntryRef view;    ///< null for others
  TableEntryRef table;  ///< null for others
  enum class Kind : uint8_t { kView, kDefault, kCheck, kGenerated, kFunction, kDomain } kind = Kind::kView;
  std::string name;                ///< name of the column, constraint or domain
  std::string error;               ///< the message of the binder
  FunctionEntryRef function = {};  ///< whose body the text is; null for others

  /// Returns, for example, "view \"v\"" or "default value of column \"a\" of table \"t\"".
  std::string Describe() const;
};

/// Binds every text of the catalog and returns those that fail. Can be interrupted like a statement.
std::vector<BrokenText> FindBrokenTexts(const BinderContext& context);
/// Returns also functions whose bodies fail. What they read may be missing for any time, so that only those
/// which a change has broken matter.
std::vector<BrokenText> FindBrokenTextsAndBodies(const BinderContext& context);
/// Returns the texts, and the functions other than these, that call one of the functions, also within the
/// bodies of functions and macros.
std::vector<BrokenText> FindTextsCalling(const BinderContext& context,
                                         const std::vector<FunctionEntryRef>& functions);

}  // namespace scaup
