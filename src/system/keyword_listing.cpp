// pg_get_keywords(): the keywords of PostgreSQL.
#include "system/system_relations.hpp"
#include "type/text/keyword.hpp"

namespace scaup {
namespace {

/// A kind of keyword in PostgreSQL's letters and words.
struct KeywordText {
  const char* letter;
  const char* words;
};

KeywordText TextOf(KeywordKind kind) {
  switch (kind) {
    case KeywordKind::kUnreserved: return {"U", "unreserved"};
    case KeywordKind::kColumnName: return {"C", "unreserved (cannot be function or type name)"};
    case KeywordKind::kTypeOrFunction: return {"T", "reserved (can be function or type name)"};
    case KeywordKind::kReserved: break;
  }
  return {"R", "reserved"};
}

ListingRows KeywordRows(const FunctionContext&, const BoundListing& bound) {
  SystemRows rows(bound);
  for (const Keyword& keyword : AllKeywords()) {
    const KeywordText kind = TextOf(keyword.kind);
    rows.Add({{"word", TextValue(keyword.word)},
              {"catcode", TextValue(kind.letter)},
              {"barelabel", Value::Boolean(keyword.is_bare_label)},
              {"catdesc", TextValue(kind.words)},
              {"baredesc", TextValue(keyword.is_bare_label ? "can be bare label" : "requires AS")}});
  }
  return rows.Take();
}

constexpr SystemRelation kKeywordColumns = {"pg_get_keywords", "word catcode barelabel:bool catdesc baredesc",
                                            KeywordRows, "PostgreSQL's keywords."};

}  // namespace

TableFunction MakeKeywordListing() {
  return MakeListing(kKeywordColumns.name, kKeywordColumns.description,
                     "SELECT word FROM pg_get_keywords() WHERE catcode = 'R'", {},
                     [](const FunctionContext&, const TableFunctionArguments&) {
                       return BindSystemRelation(kKeywordColumns);
                     });
}

}  // namespace scaup
