// LiteralShapes: plans of texts that come again with other literals.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "main/session/literal_parameters.hpp"
#include "main/session/statement_cache.hpp"
#include "main/statement/statement_preparer.hpp"
#include "parser/text/text_shape.hpp"

namespace scaup {

/// Lets texts that differ only in the values of literals share a plan, as if the program had prepared it: it
/// is made when a text of the shape comes for the second time. Owned by a session and guarded by its mutex. A
/// value that would change the plan's meaning is not taken; such a text is planned by itself.
class LiteralShapes {
 public:
  /// A plan for a text. `prepared` is valid until the next call.
  struct Found {
    PreparedPlan* prepared;
    std::vector<Value> values;
    MovedPositions positions;
  };

  /// Drops all plans if the catalog has another version. Called for each statement, as plans share ownership
  /// of tables. `catalog_version` is that of the transaction that will run it, which has not changed the
  /// catalog.
  void Follow(uint64_t catalog_version);
  /// Returns the plan of the text's shape with the values of its literals. Called after Follow.
  std::optional<Found> Find(std::string_view sql);
  /// Returns the shape of a text whose shape has come before, so that a plan for it would be of use.
  std::optional<TextShape> ShapeToLearn(std::string_view sql);
  /// Makes a plan for a shape of ShapeToLearn. Takes the tree of the text, which it changes. Returns nothing
  /// if the literals cannot be parameters; then the shape is not learnt again.
  std::optional<Found> Learn(std::string_view sql, const TextShape& shape, ast::StatementPtr statement,
                             StatementPreparer& preparer);

 private:
  std::optional<Found> Use(CachedStatement& cached, const TextShape& shape);
  bool Prepare(std::string_view sql, const TextShape& shape, CachedStatement& made,
               StatementPreparer& preparer) const;
  uint64_t& RefusalOf(const TextShape& shape);

  StatementCache plans_;  // by the keys of shapes
  uint64_t catalog_version_ = 0;
  std::array<uint64_t, 64> refused_{};  // hashes of the keys of shapes that have no plan
};

}  // namespace scaup
