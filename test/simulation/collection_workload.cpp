// Chooses statements about collections, and applies each of them to the model.
#include "simulation/collection_workload.hpp"

#include <algorithm>
#include <iterator>
#include <memory>

#include <fmt/format.h>

#include "simulation/document_questions.hpp"

namespace scaup::test {

namespace {

constexpr size_t kMostCollections = 3;
constexpr size_t kMostDocuments = 12'000;

std::string Literal(const std::string& text) {
  std::string literal = "'";
  for (const char c : text) literal += c == '\'' ? std::string("''") : std::string(1, c);
  return literal + "'";
}

// As an identifier in quotes.
std::string PathName(const std::vector<std::string>& path) {
  std::string name = "\"";
  for (size_t i = 0; i < path.size(); i++) {
    if (i != 0) name += '.';
    if (path[i].empty()) name += "\\0";
    for (const char c : path[i]) {
      if (c == '.' || c == '\\') name += '\\';
      name += c == '"' ? std::string("\"\"") : std::string(1, c);
    }
  }
  return name + "\"";
}

DocumentModel ToDocument(JsonModel value) {
  std::string text = value.Compact();
  return {std::move(text), std::make_shared<const JsonModel>(std::move(value))};
}

/// Whether nothing but objects and nulls stands on the way to a path.
bool HasObjectsAbove(const JsonModel& document, std::vector<std::string> path) {
  for (path.pop_back(); !path.empty(); path.pop_back()) {
    const JsonModel* const above = document.At(path);
    const bool gives_way =
        above == nullptr || above->kind == JsonModel::Kind::kObject || above->kind == JsonModel::Kind::kNull;
    if (!gives_way) return false;
  }
  return true;
}

std::optional<int64_t> NumberOf(const JsonModel& document) {
  const JsonModel* const number = document.Member("nr");
  if (number == nullptr) return std::nullopt;
  return std::stoll(number->text);
}

}  // namespace

void CollectionWorkload::AddChange() {
  const int64_t choice = state_.Below(100);
  if (choice < 8 || state_.model.collections.empty()) {
    Create();
  } else if (choice < 22) {
    InsertDocuments();
  } else if (choice < 45) {
    InsertSeries();
  } else if (choice < 50) {
    InsertPaths();
  } else if (choice < 54) {
    InsertFromCollection();
  } else if (choice < 74) {
    Update();
  } else if (choice < 84) {
    Delete();
  } else if (choice < 96) {
    ChangeIndexes();
  } else {
    Drop();
  }
}

void CollectionWorkload::AddMove() {
  const int64_t choice = state_.Below(12);
  if (choice < 3) {
    static const char* const kDensities[] = {"0", "1", "0.5", "0.1"};
    return state_.Add(fmt::format("SET document_density = {}", kDensities[state_.Below(4)]));
  }
  if (choice == 3) {
    static const int kCardinalities[] = {1, 60, 100'000};
    return state_.Add(fmt::format("SET document_cardinality = {}", kCardinalities[state_.Below(3)]));
  }
  if (choice < 9) return state_.Add(kMaterializerStep);
  if (choice == 9) return state_.Add("VACUUM (materialize)");
  if (choice == 10) return state_.Add("ANALYZE");
  if (const auto name = AnyCollection()) state_.Add("MATERIALIZE " + Qualified(*name));
}

std::optional<CollectionWorkload::Name> CollectionWorkload::AnyCollection() {
  const auto& collections = state_.model.collections;
  if (collections.empty()) return std::nullopt;
  return std::next(collections.begin(), state_.Below(static_cast<int64_t>(collections.size())))->first;
}

std::optional<CollectionWorkload::Name> CollectionWorkload::NewName() {
  if (state_.model.collections.size() >= kMostCollections) return std::nullopt;
  const Name name{state_.AnySchema(), fmt::format("d{}", state_.Below(4))};
  if (state_.model.collections.count(name) != 0) return std::nullopt;
  return name;
}

// Half of them by the first documents.
void CollectionWorkload::Create() {
  const auto name = NewName();
  if (!name) return;
  CollectionModel collection;
  std::string sql = "CREATE COLLECTION " + Qualified(*name);
  if (state_.Below(2) == 0) {
    sql = fmt::format("INSERT INTO {} OBJECT ", Qualified(*name));
    for (int64_t i = 1 + state_.Below(3); i != 0; i--) {
      collection.documents.push_back(ToDocument(AnyDocument()));
      sql += (collection.documents.size() == 1 ? "" : ", ") + collection.documents.back().text;
    }
  }
  state_.model.collections[*name] = std::make_shared<const CollectionModel>(std::move(collection));
  state_.Add(std::move(sql));
}

void CollectionWorkload::Drop() {
  const auto name = AnyCollection();
  if (!name) return;
  state_.model.collections.erase(*name);
  state_.Add("DROP COLLECTION " + Qualified(*name));
}

void CollectionWorkload::Append(const Name& name, std::vector<JsonModel> documents, std::string sql) {
  CollectionModel collection = *state_.model.collections[name];
  for (JsonModel& document : documents) collection.documents.push_back(ToDocument(std::move(document)));
  state_.model.collections[name] = std::make_shared<const CollectionModel>(std::move(collection));
  state_.Add(std::move(sql));
}

// Of the patterns, or with keys and values of any kind.
JsonModel CollectionWorkload::AnyDocument() {
  if (state_.Below(3) == 0) return AnyRule().Document(state_.Below(100'000));
  // A number is what says that a document is of a pattern.
  JsonModel document = wild_documents_.Document(state_.Below(4) == 0);
  document.Remove({"nr"});
  return document;
}

void CollectionWorkload::InsertDocuments() {
  const auto name = AnyCollection();
  if (!name) return;
  std::vector<JsonModel> documents;
  std::string sql = fmt::format("INSERT INTO {} VALUES ", Qualified(*name));
  for (int64_t i = 1 + state_.Below(6); i != 0; i--) {
    documents.push_back(AnyDocument());
    sql += (documents.size() == 1 ? "(" : ", (") + Literal(wild_documents_.Spell(documents.back())) + ")";
  }
  Append(*name, std::move(documents), std::move(sql));
}

DocumentRule CollectionWorkload::AnyRule() {
  DocumentRule rule;
  std::vector<const MemberPattern*> patterns;
  for (const MemberPattern& pattern : MemberPatterns()) patterns.push_back(&pattern);
  std::shuffle(patterns.begin(), patterns.end(), state_.random);
  const bool has_equal_keys = state_.Below(8) == 0;
  for (const MemberPattern* pattern : patterns) {
    const bool is_there = std::any_of(rule.members.begin(), rule.members.end(), [&](const auto& member) {
      return std::string_view(member.pattern->key) == pattern->key;
    });
    if (state_.Below(3) == 0 || (is_there && !has_equal_keys)) continue;
    static const int64_t kPeriods[] = {1, 1, 1, 2, 5, 30, 1000};
    const int64_t period = kPeriods[state_.Below(7)];
    rule.members.push_back({pattern, period, state_.Below(period)});
  }
  return rule;
}

// Often so many that they are kept attribute by attribute once they are in the file.
void CollectionWorkload::InsertSeries() {
  const auto name = AnyCollection();
  if (!name || state_.model.collections[*name]->documents.size() > kMostDocuments) return;
  const int64_t many = state_.options.many_documents;
  const int64_t first = state_.Below(100'000);
  const int64_t count = state_.Below(5) < 2 ? many + state_.Below(many) : 1 + state_.Below(many);
  const DocumentRule rule = AnyRule();
  std::vector<JsonModel> documents;
  for (int64_t i = 0; i < count; i++) documents.push_back(rule.Document(first + i));
  series_[*name] = {first, count};
  Append(*name, std::move(documents),
         fmt::format("INSERT INTO {} SELECT {} FROM generate_series({}, {}) AS g(i)", Qualified(*name),
                     rule.Sql(), first, first + count - 1));
}

// Documents made of values at paths.
void CollectionWorkload::InsertPaths() {
  const auto name = AnyCollection();
  if (!name) return;
  const int64_t first = state_.Below(100'000), count = 1 + state_.Below(state_.options.many_documents / 2);
  const int64_t period = 1 + state_.Below(9);
  std::vector<JsonModel> documents;
  for (int64_t i = first; i < first + count; i++) {
    JsonModel document = JsonObject({{"nr", JsonNumber(std::to_string(i))}});
    if (i % period == 0) document.Set({"o", "x"}, JsonNumber(std::to_string(i % 10)));
    document.Set({"s"}, JsonString(fmt::format("name {}", i % 17)));
    if (i % period != 0) document.Set({"o", "s"}, JsonString("s"));
    documents.push_back(std::move(document));
  }
  Append(*name, std::move(documents),
         fmt::format(
             "INSERT INTO {0} (nr, \"o.x\", s, \"o.s\") SELECT i, CASE WHEN i % {1} = 0 THEN i % 10 END, "
             "'name ' || (i % 17), CASE WHEN i % {1} <> 0 THEN 's' END FROM generate_series({2}, {3}) AS "
             "g(i)",
             Qualified(*name), period, first, first + count - 1));
}

void CollectionWorkload::InsertFromCollection() {
  const auto name = AnyCollection(), source = AnyCollection();
  if (!name || state_.model.collections[*source]->documents.size() > kMostDocuments / 3) return;
  CollectionModel collection = *state_.model.collections[*name];
  const std::vector<DocumentModel> documents = state_.model.collections[*source]->documents;
  collection.documents.insert(collection.documents.end(), documents.begin(), documents.end());
  state_.model.collections[*name] = std::make_shared<const CollectionModel>(std::move(collection));
  state_.Add(
      fmt::format("INSERT INTO {} SELECT {} FROM {}", Qualified(*name), source->second, Qualified(*source)));
}

CollectionWorkload::Condition CollectionWorkload::AnyCondition(const Name& name) {
  const auto series = series_.find(name);
  const auto [first, count] = series == series_.end() ? std::pair<int64_t, int64_t>(0, 1000) : series->second;
  const auto by_number = [](std::string sql, std::function<bool(int64_t)> passes) {
    return Condition{std::move(sql), [passes = std::move(passes)](const JsonModel& document) {
                       const auto number = NumberOf(document);
                       return number && passes(*number);
                     }};
  };
  switch (state_.Below(8)) {
    case 0: {
      const int64_t begin = first + state_.Below(count), end = begin + state_.Below(40);
      return by_number(fmt::format("nr BETWEEN {} AND {}", begin, end),
                       [=](int64_t number) { return number >= begin && number <= end; });
    }
    case 1: {
      const int64_t wanted = first + state_.Below(count);
      return by_number(fmt::format("nr = {}", wanted), [=](int64_t number) { return number == wanted; });
    }
    case 2: return {"nr IS NULL", [](const JsonModel& document) { return !NumberOf(document); }};
    case 3: {
      const int64_t x = state_.Below(9);
      return {
          fmt::format("\"o.x\" = {}", x), [x](const JsonModel& document) {
            return IsNumber(document.At({"o", "x"}), [x](double n) { return n == static_cast<double>(x); });
          }};
    }
    case 4: {
      const std::string text = fmt::format("name {}", state_.Below(13));
      return {fmt::format("s = '{}'", text), [text](const JsonModel& document) {
                const JsonModel* const value = document.At({"s"});
                return value != nullptr && value->kind == JsonModel::Kind::kString && value->text == text;
              }};
    }
    case 5: {
      const std::string word = fmt::format("zebra{}", state_.Below(97));
      return {fmt::format("matches(words, '{}')", word),
              [word](const JsonModel& document) { return HasWord(document.At({"words"}), word); }};
    }
    default: {
      static const int64_t kModuli[] = {1, 2, 7, 50, 1000};
      const int64_t modulus = kModuli[state_.Below(5)], rest = state_.Below(modulus);
      return by_number(fmt::format("nr % {} = {}", modulus, rest),
                       [=](int64_t number) { return number % modulus == rest; });
    }
  }
}

CollectionWorkload::Path CollectionWorkload::AnyPath() {
  static const std::vector<Path> kPaths = {
      {"n"},        {"s"},           {"words"}, {"o"},    {"o", "x"},
      {"o", "new"}, {"o", "y", "z"}, {"b"},     {"tags"}, {"deep", "er", "est"},
      {"z"},        {"deep", "er"}};
  const int64_t choice = state_.Below(16);
  if (choice == 0) return {fmt::format("sparse_{}", state_.Below(60))};
  if (choice == 1) return {fmt::format("fresh_{}", state_.Below(3))};
  if (choice == 2) return {wild_documents_.Key()};
  if (choice == 3) return {wild_documents_.Key(), wild_documents_.Key()};
  return kPaths[state_.random() % kPaths.size()];
}

CollectionWorkload::NewValue CollectionWorkload::AnyValue() {
  const auto constant = [](std::string sql, JsonModel value) {
    return NewValue{std::move(sql),
                    [value = std::move(value)](const JsonModel&) { return std::optional(value); }};
  };
  const int64_t number = state_.Below(1000);
  switch (state_.Below(10)) {
    case 0: return {"NULL", [](const JsonModel&) { return std::nullopt; }};
    case 1: return constant("'null'::JSON", {});
    case 2: return constant("true", {JsonModel::Kind::kBoolean, "true", {}});
    case 3: return constant(fmt::format("{}.5", number), JsonNumber(fmt::format("{}.5", number)));
    case 4:
      return constant(fmt::format("'[\"red\", {{\"x\": [{}]}}]'::JSON", number),
                      JsonArray({JsonString("red"),
                                 JsonObject({{"x", JsonArray({JsonNumber(std::to_string(number))})}})}));
    case 5:
      return constant(fmt::format("'{{\"x\": {}, \"new\": \"zebra{} it\"}}'::JSON", number, number % 97),
                      JsonObject({{"x", JsonNumber(std::to_string(number))},
                                  {"new", JsonString(fmt::format("zebra{} it", number % 97))}}));
    case 6:
      return {"nr * 3", [](const JsonModel& document) -> std::optional<JsonModel> {
                const auto own = NumberOf(document);
                if (!own) return std::nullopt;
                return JsonNumber(std::to_string(*own * 3));
              }};
    case 7:
      return constant(fmt::format("'name {}'", number % 20), JsonString(fmt::format("name {}", number % 20)));
    case 8:
      return constant(fmt::format("'zebra{} lion1'", number % 97),
                      JsonString(fmt::format("zebra{} lion1", number % 97)));
    default: return constant(std::to_string(number), JsonNumber(std::to_string(number)));
  }
}

void CollectionWorkload::Update() {
  const auto name = AnyCollection();
  if (!name) return;
  CollectionModel collection = *state_.model.collections[*name];
  const Condition condition = AnyCondition(*name);
  std::vector<Path> paths{AnyPath()};
  if (state_.Below(4) == 0) paths.push_back(AnyPath());
  if (paths.size() == 2 && paths[0][0] == paths[1][0]) paths.pop_back();
  std::vector<NewValue> values;
  std::string sets;
  for (const Path& path : paths) {
    values.push_back(AnyValue());
    sets += fmt::format("{}{} = {}", sets.empty() ? "" : ", ", PathName(path), values.back().sql);
  }
  for (DocumentModel& document : collection.documents) {
    if (!condition.passes(*document.value)) continue;
    JsonModel changed = *document.value;
    for (size_t i = 0; i < paths.size(); i++) {
      const auto value = values[i].value(*document.value);
      // Such a statement is refused: it would lose what stands there.
      if (value && !HasObjectsAbove(changed, paths[i])) return;
      value ? changed.Set(paths[i], *value) : changed.Remove(paths[i]);
    }
    document = ToDocument(std::move(changed));
  }
  state_.model.collections[*name] = std::make_shared<const CollectionModel>(std::move(collection));
  state_.Add(fmt::format("UPDATE {} SET {} WHERE {}", Qualified(*name), sets, condition.sql));
}

void CollectionWorkload::Delete() {
  const auto name = AnyCollection();
  if (!name) return;
  CollectionModel collection = *state_.model.collections[*name];
  const Condition condition = AnyCondition(*name);
  const bool all = state_.Below(12) == 0;
  std::erase_if(collection.documents,
                [&](const DocumentModel& document) { return all || condition.passes(*document.value); });
  state_.model.collections[*name] = std::make_shared<const CollectionModel>(std::move(collection));
  state_.Add(all ? "TRUNCATE " + Qualified(*name)
                 : fmt::format("DELETE FROM {} WHERE {}", Qualified(*name), condition.sql));
}

// Text indexes: of nothing that a query shows, but by them UPDATE, DELETE and the questions find documents.
void CollectionWorkload::ChangeIndexes() {
  const auto name = AnyCollection();
  if (!name) return;
  CollectionModel collection = *state_.model.collections[*name];
  const std::string index = fmt::format("{}_x{}", name->second, state_.Below(2));
  std::string sql = fmt::format("DROP INDEX IF EXISTS {}.{}", name->first, index);
  if (state_.Below(3) == 0) {
    collection.indexes.erase(index);
  } else {
    static const char* const kPlaces[] = {"(*)", "(words)", "(words, o.new)", "(s, deep)"};
    static const char* const kQuoted[] = {"(*)", "(words)", "(words, \"o.new\")", "(s, deep)"};
    const int64_t places = state_.Below(4);
    collection.indexes.emplace(index, kPlaces[places]);
    sql = fmt::format("CREATE INDEX IF NOT EXISTS {} ON {} USING text {}", index, Qualified(*name),
                      kQuoted[places]);
  }
  state_.model.collections[*name] = std::make_shared<const CollectionModel>(std::move(collection));
  state_.Add(std::move(sql));
}

}  // namespace scaup::test
