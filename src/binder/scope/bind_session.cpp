// State of binding one statement: counters, collections, parameter types.
#include "binder/scope/bind_session.hpp"

#include "binder/scope/document_source.hpp"
#include "catalog/temporary_schema.hpp"
#include "common/throw.hpp"
#include "document/visible_attributes.hpp"

namespace scaup {

namespace {
constexpr size_t kMaxQueries = 10'000;
}

void BindSession::CountQuery(size_t position) {
  if (++query_count_ <= kMaxQueries) return;
  ThrowError(ErrorKind::kNotSupported, sqlstate::kStatementTooComplex,
             "the statement has more than 10000 queries once its WITH queries are written out; "
             "store intermediate results in tables",
             position);
}

std::string BindSession::SchemaOf(std::string_view schema, std::string_view name) const {
  if (!schema.empty() || view == nullptr) return std::string(schema);
  const bool is_temporary = IsTemporarySchema(view->schema) && view->FindSource(kTemporarySchema, name);
  return is_temporary ? kTemporarySchema : Catalog::kDefaultSchema;
}

void BindSession::AddCollection(std::shared_ptr<CollectionUse> use) {
  const size_t table_index = use->table_index();
  collections_.emplace(table_index, std::move(use));
}

const std::shared_ptr<VisibleAttributes>& BindSession::AttributesOf(const TableEntry& collection) {
  follows_given_types = true;
  auto& attributes = attributes_[collection.storage->attributes().get()];
  if (!attributes) {
    attributes = std::make_shared<VisibleAttributes>(collection.AttributesSeenBy(context_.transaction));
    known_attributes_.push_back({collection.storage, attributes->epoch(), nullptr});
  }
  return attributes;
}

std::vector<KnownAttributes> BindSession::known_attributes() const {
  std::vector<KnownAttributes> known = known_attributes_;
  for (KnownAttributes& each : known) {
    const VisibleAttributes& attributes = *attributes_.at(each.collection->attributes().get());
    each.paths = std::make_shared<const std::set<PathId>>(attributes.asked());
  }
  return known;
}

const std::shared_ptr<VisibleAttributes>& BindSession::AttributesOf(
    const std::shared_ptr<AttributeDictionary>& dictionary) const {
  auto& attributes = attributes_[dictionary.get()];
  if (!attributes) attributes = std::make_shared<VisibleAttributes>(dictionary);
  return attributes;
}

CollectionUse* BindSession::FindCollection(size_t table_index) const {
  const auto found = collections_.find(table_index);
  return found == collections_.end() ? nullptr : found->second.get();
}

LogicalType BindSession::ParameterType(size_t index) const {
  return index < parameter_types_.size() ? parameter_types_[index] : LogicalType(TypeId::kNull);
}

void BindSession::SetParameterType(size_t index, const LogicalType& type) {
  if (index >= parameter_types_.size()) parameter_types_.resize(index + 1);
  if (parameter_types_[index].id() == TypeId::kNull) parameter_types_[index] = type;
}

void BindSession::SettleParameters() {
  for (auto& type : parameter_types_) {
    if (type.id() == TypeId::kNull) type = TypeId::kVarchar;
  }
}

}  // namespace scaup
