// Learns and finds the plans of shapes.
#include "main/session/literal_shapes.hpp"

#include <utility>

#include "common/hash.hpp"

namespace scaup {

static uint64_t HashOf(const TextShape& shape) { return HashBytes(shape.key.data(), shape.key.size()) | 1U; }

uint64_t& LiteralShapes::RefusalOf(const TextShape& shape) {
  return refused_[HashOf(shape) / 2 % refused_.size()];
}

std::optional<LiteralShapes::Found> LiteralShapes::Use(CachedStatement& cached, const TextShape& shape) {
  auto values = ValuesOfLiterals(cached.literals, shape, cached.prepared.parameter_types);
  if (!values) return std::nullopt;
  return Found{&cached.prepared, std::move(*values), MovedPositions(cached.literals, shape)};
}

void LiteralShapes::Follow(uint64_t catalog_version) {
  if (std::exchange(catalog_version_, catalog_version) == catalog_version) return;
  // Plans would keep dropped tables. A shape that had no plan may have one with other columns.
  plans_.Clear();
  refused_.fill(0);
}

std::optional<LiteralShapes::Found> LiteralShapes::Find(std::string_view sql) {
  const std::optional<TextShape> shape = ShapeOf(sql);
  if (!shape) return std::nullopt;
  CachedStatement* cached = plans_.Find(shape->key, {}, catalog_version_);
  if (cached == nullptr) return std::nullopt;
  return Use(*cached, *shape);
}

std::optional<TextShape> LiteralShapes::ShapeToLearn(std::string_view sql) {
  std::optional<TextShape> shape = ShapeOf(sql);
  if (!shape || RefusalOf(*shape) == HashOf(*shape) || !plans_.See(shape->key, {})) return std::nullopt;
  return shape;
}

bool LiteralShapes::Prepare(std::string_view sql, const TextShape& shape, CachedStatement& made,
                            StatementPreparer& preparer) const {
  auto literals = ParameterizeLiterals(*made.statement, sql, shape);
  if (!literals) return false;
  made.literals = std::move(*literals);
  preparer.SplitTargetNames(*made.statement);
  try {
    made.prepared = preparer.PrepareTyped(*made.statement, TypesToBind(made.literals, shape));
  } catch (const Error&) {
    // The text itself tells what is wrong when it is bound with its literals.
    return false;
  }
  return plans_.MayKeep(*made.statement, made.prepared) &&
         AreBoundLikeLiterals(made.literals, shape, made.prepared);
}

std::optional<LiteralShapes::Found> LiteralShapes::Learn(std::string_view sql, const TextShape& shape,
                                                         ast::StatementPtr statement,
                                                         StatementPreparer& preparer) {
  // Changes of the catalog by the transaction itself have no version yet.
  if (preparer.has_changed_catalog()) return std::nullopt;
  CachedStatement made{std::move(statement), {}};
  if (!Prepare(sql, shape, made, preparer)) {
    RefusalOf(shape) = HashOf(shape);
    return std::nullopt;
  }
  return Use(plans_.Add(shape.key, {}, std::move(made)), shape);
}

}  // namespace scaup
