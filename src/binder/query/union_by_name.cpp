// UNION BY NAME: rearranges the columns of each operand before their types are unified.
#include "binder/query/union_by_name.hpp"

#include <fmt/format.h>

#include <map>
#include <string>
#include <unordered_map>

#include "binder/scope/coercion.hpp"
#include "binder/scope/document_value.hpp"
#include "common/throw.hpp"

namespace scaup {

namespace {

/// The places of an operand's columns, by name.
using Places = std::unordered_map<std::string, size_t>;

Places PlacesOf(const BoundQuery& operand, size_t position) {
  Places places;
  for (size_t i = 0; i < operand.names.size(); i++) {
    if (places.try_emplace(operand.names[i], i).second) continue;
    ThrowError(ErrorKind::kBinder, sqlstate::kDuplicateColumn,
               fmt::format("a query of UNION BY NAME has two columns named \"{}\"; give one of them another "
                           "name with AS",
                           operand.names[i]),
               position);
  }
  return places;
}

/// Gives the untyped columns of a name the type of the others, as the rearranged column only refers to them.
void SettleUntyped(BindSession& session, std::vector<BoundQueryPtr>& operands,
                   const std::vector<Places>& places, const std::string& name,
                   const ast::SelectStatement& statement) {
  CommonTypeFinder finder("UNION");
  for (size_t i = 0; i < operands.size(); i++) {
    const auto found = places[i].find(name);
    if (found != places[i].end())
      finder.Add(operands[i]->types[found->second], statement.operands[i]->position);
  }
  LogicalType type = finder.type();
  if (type.id() == TypeId::kNull) type = TypeId::kVarchar;
  for (size_t i = 0; i < operands.size(); i++) {
    const auto found = places[i].find(name);
    if (found != places[i].end() && operands[i]->types[found->second].id() == TypeId::kNull)
      TypeOutput(session, *operands[i], found->second, type);
  }
}

BoundQueryPtr Rearrange(BindSession& session, BoundQueryPtr operand, const Places& places,
                        const std::vector<std::string>& names) {
  BoundQueryPtr selected = SelectFrom(session, std::move(operand));
  auto& select = selected->As<BoundSelect>();
  std::vector<ExpressionPtr> items;
  std::vector<LogicalType> types;
  for (const std::string& name : names) {
    const auto found = places.find(name);
    items.push_back(found == places.end() ? std::make_unique<ConstantExpression>(Value())
                                          : std::move(select.items[found->second]));
    items.back()->alias = name;
    types.push_back(items.back()->type());
  }
  select.items = std::move(items);
  select.types = std::move(types);
  select.names = names;
  return selected;
}

}  // namespace

void MatchByName(BindSession& session, std::vector<BoundQueryPtr>& operands,
                 const ast::SelectStatement& statement) {
  std::vector<Places> places;
  std::vector<std::string> names;
  Places known;
  for (size_t i = 0; i < operands.size(); i++) {
    places.push_back(PlacesOf(*operands[i], statement.operands[i]->position));
    for (const std::string& name : operands[i]->names) {
      if (known.try_emplace(name, names.size()).second) names.push_back(name);
    }
  }
  for (const std::string& name : names) SettleUntyped(session, operands, places, name, statement);
  for (size_t i = 0; i < operands.size(); i++) {
    if (operands[i]->names != names)
      operands[i] = Rearrange(session, std::move(operands[i]), places[i], names);
  }
}

}  // namespace scaup
