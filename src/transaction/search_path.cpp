// The search path of a session, and that of a transaction.

#include "transaction/search_path.hpp"

#include <algorithm>
#include <utility>

#include "common/check.hpp"
#include "common/settings/search_path_text.hpp"
#include "type/schema_name.hpp"
#include "type/text/temporary_name.hpp"

namespace scaup {

namespace {
// Its address is the key of the path among the locals of a transaction.
constexpr char kPathKey = 0;
constexpr std::string_view kSystemSchema = "pg_catalog";
constexpr std::string_view kStandardSchema = "information_schema";
}  // namespace

SearchPath::SearchPath(const std::string& text) {
  const auto names = SplitSearchPath(text);
  SCAUP_CHECK(names.has_value());
  for (const std::string& written : *names) {
    if (written == kSystemSchema) before_system_ = named_.size();
    // An empty name is no schema's, though the catalog takes it for that of the default one.
    if (written == kSystemSchema || written == kStandardSchema || written.empty()) continue;
    std::string name(SchemaNamed(written == "$user" ? kSessionUser : written));
    if (std::find(named_.begin(), named_.end(), name) == named_.end()) named_.push_back(std::move(name));
  }
  searched_ = named_;
  if (std::find(named_.begin(), named_.end(), kTemporarySchema) == named_.end())
    searched_.insert(searched_.begin(), kTemporarySchema);
}

std::shared_ptr<const SearchPath> SearchPath::Of(const Settings& settings) {
  const std::string text = SearchPathText(settings);
  return text == kDefaultSearchPath ? nullptr : std::make_shared<const SearchPath>(text);
}

const SearchPath* SearchPath::Of(const Transaction& transaction) {
  return static_cast<const SearchPath*>(transaction.FindLocal(&kPathKey));
}

void SearchPath::Give(Transaction& transaction, std::shared_ptr<const SearchPath> path) {
  if (path) {
    transaction.SetLocal(&kPathKey, std::const_pointer_cast<SearchPath>(std::move(path)));
  } else if (Of(transaction) != nullptr) {
    transaction.RemoveLocal(&kPathKey);
  }
}

NoSearchPath::NoSearchPath(Transaction& transaction) : transaction_(transaction) {
  if (const SearchPath* path = SearchPath::Of(transaction)) path_ = path->shared_from_this();
  SearchPath::Give(transaction, nullptr);
}

bool SearchPath::IsBeforeSystem(std::string_view schema) const {
  const auto end = named_.begin() + static_cast<std::ptrdiff_t>(before_system_);
  return std::find(named_.begin(), end, schema) != end;
}

}  // namespace scaup
