// SELECT and VALUES.
#include <algorithm>

#include "statement.hpp"

namespace scaup::sqlite {

namespace {

/// ORDER BY x COLLATE c at the end of a statement, where c is a collation of the program.
struct CollatedOrder {
  std::shared_ptr<Collation> collation;
  size_t begin = 0;  ///< of ORDER
  size_t column = 0;
  bool is_descending = false;
};

class Query final : public StatementBody {
 public:
  explicit Query(sqlite3_stmt& statement) : statement_(statement), db_(statement.db) {}

  void Prepare() override {
    db_.Authorize(SQLITE_SELECT, "", "");
    Translate();
  }

  void Execute() override {
    if (reads_catalog_ || schema_version_ != db_.shared->schema_version ||
        rollbacks_ != db_.transaction.rollback_count()) {
      use_ = DynamicUse::kAsIs;
      Translate();
    }
    bool is_first = true;
    // A value of another kind than was taken for is found only now.
    TryDynamicUses(use_, [&](bool& has_dynamic) {
      has_dynamic = has_dynamic_;
      if (!is_first) TranslateOnce(has_dynamic);
      is_first = false;
      db_.transaction.Run(Transaction::Mode::kRead,
                          [&] { statement_.result = prepared_->Execute(statement_.bindings); });
    });
    if (order_) Sort();
  }

  bool is_readonly() const override { return true; }

 private:
  void Translate() {
    TryDynamicUses(use_, [&](bool& has_dynamic) { TranslateOnce(has_dynamic); });
  }

  void TranslateOnce(bool& has_dynamic) {
    const Tokens& tokens = statement_.tokens;
    TranslationState state = db_.NewTranslation();
    state.parameters = statement_.parameters;
    state.dynamic_use = use_;
    SqlWriter writer(tokens, state);
    const size_t select = FindWord(tokens, 0, tokens.size(), {"SELECT", "VALUES"});
    const bool is_select = tokens[select].Is("SELECT");
    const std::set<std::string> common_tables = CommonTables(tokens);
    std::vector<ResultItem> items;
    if (is_select)
      items = ResultItems(tokens, select + 1, tokens.size(),
                          SourcesOfQuery(tokens, select, tokens.size(), *state.schema, common_tables));
    FindOrder(items);
    const std::string sql = writer.WriteQuery(0, order_ ? order_->begin : tokens.size());
    has_dynamic = has_dynamic_ = state.has_dynamic;
    reads_catalog_ = state.reads_catalog;
    AuthorizeReads(db_, state);
    db_.transaction.Run(Transaction::Mode::kRead,
                        [&] { prepared_.emplace(db_, sql, state.exact_parameters); });
    statement_.columns = MakeColumns(items, prepared_->columns());
    schema_version_ = db_.shared->schema_version;
    rollbacks_ = db_.transaction.rollback_count();
  }

  void FindOrder(const std::vector<ResultItem>& items) {
    order_.reset();
    const Tokens& tokens = statement_.tokens;
    const size_t begin = FindWord(tokens, 0, tokens.size(), {"ORDER"});
    const size_t collate = FindWord(tokens, begin, tokens.size(), {"COLLATE"});
    if (collate != begin + 3 || collate + 1 >= tokens.size()) return;
    const auto found = db_.collations.find(ToUpper(tokens[collate + 1].Unquoted()));
    if (found == db_.collations.end()) return;
    const bool has_direction =
        collate + 2 < tokens.size() && (tokens[collate + 2].Is("ASC") || tokens[collate + 2].Is("DESC"));
    if (collate + (has_direction ? 3 : 2) != tokens.size()) return;
    for (size_t i = 0; i < items.size(); i++) {
      if (ToLower(items[i].name) == tokens[begin + 2].Name() ||
          tokens[begin + 2].text == std::to_string(i + 1))
        order_ = CollatedOrder{found->second, begin, i, has_direction && tokens[collate + 2].Is("DESC")};
    }
  }

  void Sort() {
    const size_t count = statement_.result.row_count();
    std::vector<SqliteValue> keys;
    for (size_t row = 0; row < count; row++)
      keys.push_back(SqliteValue::FromEngine(statement_.result, order_->column, row));
    const auto is_less = [&](const SqliteValue& a, const SqliteValue& b) {
      if (!a.is_text() || !b.is_text()) return EncodeValue(a) < EncodeValue(b);
      const std::string left = a.AsText();
      const std::string right = b.AsText();
      return order_->collation->compare(order_->collation->data, static_cast<int>(left.size()), left.data(),
                                        static_cast<int>(right.size()), right.data()) < 0;
    };
    std::vector<size_t> rows(count);
    for (size_t row = 0; row < count; row++) rows[row] = row;
    // Merged by hand: the program's function may answer without any order, which std::sort must not meet.
    std::vector<size_t> merged(count);
    const auto precedes = [&](size_t a, size_t b) {
      return order_->is_descending ? is_less(keys[b], keys[a]) : is_less(keys[a], keys[b]);
    };
    for (size_t width = 1; width < count; width *= 2) {
      for (size_t begin = 0; begin < count; begin += 2 * width) {
        const auto at = [&](size_t position) {
          return rows.begin() + static_cast<std::ptrdiff_t>(std::min(position, count));
        };
        std::merge(at(begin), at(begin + width), at(begin + width), at(begin + 2 * width),
                   merged.begin() + static_cast<std::ptrdiff_t>(begin), precedes);
      }
      rows.swap(merged);
    }
    statement_.row_order = std::move(rows);
  }

  sqlite3_stmt& statement_;
  sqlite3& db_;
  DynamicUse use_ = DynamicUse::kAsIs;
  bool has_dynamic_ = false;
  bool reads_catalog_ = false;
  uint64_t schema_version_ = 0;
  uint64_t rollbacks_ = 0;
  std::optional<EngineStatement> prepared_;
  std::optional<CollatedOrder> order_;
};

}  // namespace

std::unique_ptr<StatementBody> MakeQuery(sqlite3_stmt& statement) {
  return std::make_unique<Query>(statement);
}

}  // namespace scaup::sqlite
