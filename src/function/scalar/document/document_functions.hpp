// What statements do with the records of a collection's documents. Not in the registry: the binder calls
// them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "document/document_projection.hpp"
#include "function/function_registry.hpp"
#include "text/text_query.hpp"

namespace scaup {

/// The read of a call of document_extract, for callers that want the same path in another type.
struct DocumentExtraction : FunctionData {
  DocumentExtraction(std::shared_ptr<AttributeDictionary> dictionary_in, DocumentProjection projection_in)
      : dictionary(std::move(dictionary_in)), projection(std::move(projection_in)) {}
  std::shared_ptr<AttributeDictionary> dictionary;
  DocumentProjection projection;
};

/// The search of a call of document_matches or document_score.
struct DocumentSearch : FunctionData {
  DocumentSearch(std::shared_ptr<AttributeDictionary> dictionary_in, PathId path_in)
      : dictionary(std::move(dictionary_in)), path(path_in) {}
  std::shared_ptr<AttributeDictionary> dictionary;
  PathId path;
  std::optional<TextQuery> query = std::nullopt;  ///< where it is the same for all rows
};

class DocumentParser;

/// Appends the record of a document's text to `record`. Throws Error(22P02) for what is no JSON object.
void AppendRecord(DocumentParser& parser, std::string_view text, std::string& record);

/// document_record(JSON): the record of a document, whose attributes the dictionary gets. Throws Error(22P02)
/// for what is no JSON object.
ResolvedScalar DocumentRecordFunction(std::shared_ptr<AttributeDictionary> dictionary);
/// document_extract(BLOB, VARCHAR): a path of a record as the projection's type; the text names it for
/// EXPLAIN. Its data is a DocumentExtraction.
ResolvedScalar DocumentExtractFunction(std::shared_ptr<AttributeDictionary> dictionary,
                                       DocumentProjection projection);
/// document_change(BLOB, JSON, ...): the record with these values at `paths`, of which there is one for each;
/// NULL takes a value away.
ResolvedScalar DocumentChangeFunction(std::shared_ptr<AttributeDictionary> dictionary,
                                      std::vector<PathId> paths);

/// document_put(JSON, JSON, ...): a JSON value with its second argument in the place that the others lead to:
/// keys of type VARCHAR, which objects that lack them get, and places of elements of type BIGINT, counted
/// from 0 or from -1 at the end, of which there is one more, behind the last. NULL takes the element or
/// member away. Throws Error(kOutOfRange, 22023) where there is no such place. `name`: what is set, for
/// errors.
ResolvedScalar DocumentPutFunction(std::vector<LogicalType> steps, std::string name);
/// document_value(JSON, VARCHAR): the value as `type`, one of those of DocumentProjection but BLOB; NULL
/// where it is of another one. The text names the type.
ResolvedScalar DocumentValueFunction(const LogicalType& type);
inline constexpr const char* kDocumentValue = "document_value";
/// document_order(JSON): bytes in the order of JSON values (json_order.hpp); NULL for null. Of numbers alone,
/// document_number_order, it is NULL for all else.
ResolvedScalar DocumentOrderFunction(bool numbers_alone);
/// document_number_orders(JSON): the same bytes for each number of an array, without its other elements; NULL
/// for all but arrays.
ResolvedScalar DocumentNumberOrdersFunction();
inline constexpr const char* kDocumentNormal = "document_normal";
/// document_normal(JSON): the text that all equal values have; NULL for null.
ResolvedScalar DocumentNormalFunction();

/// document_matches(BLOB, VARCHAR, VARCHAR), document_score: whether, and how well, the strings of a record
/// at a path and below match a query, which is the third argument; the second names the path for EXPLAIN.
/// NULL where there are none. `query`, if not null, is that of all rows. Throws Error(42601) for a malformed
/// one. Its data is a DocumentSearch.
ResolvedScalar DocumentSearchFunction(bool is_score, std::shared_ptr<AttributeDictionary> dictionary,
                                      PathId path, const std::string* query);

}  // namespace scaup
