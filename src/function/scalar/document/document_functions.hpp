// Functions on the records of documents. They are not in the registry; the binder calls them.
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

/// The data of a call of document_extract, by which other code can extract the same path in another type.
struct DocumentExtraction : FunctionData {
  DocumentExtraction(std::shared_ptr<AttributeDictionary> dictionary_in, DocumentProjection projection_in)
      : dictionary(std::move(dictionary_in)), projection(std::move(projection_in)) {}
  std::shared_ptr<AttributeDictionary> dictionary;
  DocumentProjection projection;
};

/// The data of a call of document_matches or document_score.
struct DocumentSearch : FunctionData {
  DocumentSearch(std::shared_ptr<AttributeDictionary> dictionary_in, PathId path_in)
      : dictionary(std::move(dictionary_in)), path(path_in) {}
  std::shared_ptr<AttributeDictionary> dictionary;
  PathId path;
  std::optional<TextQuery> query = std::nullopt;  ///< set if it is the same for all rows
};

class DocumentParser;

/// Appends the record of a document's text to `record`. Throws Error(22P02) if the text is not a JSON object.
void AppendRecord(DocumentParser& parser, std::string_view text, std::string& record);

/// document_record(JSON): the record of a document. Adds its attributes to the dictionary. Throws
/// Error(22P02) if the text is not a JSON object.
ResolvedScalar DocumentRecordFunction(std::shared_ptr<AttributeDictionary> dictionary);
/// document_extract(BLOB, VARCHAR): extracts a path of a record in the projection's type. The text names the
/// path for EXPLAIN. The call's data is a DocumentExtraction.
ResolvedScalar DocumentExtractFunction(std::shared_ptr<AttributeDictionary> dictionary,
                                       DocumentProjection projection);
/// document_change(BLOB, JSON, ...): the record with new values at `paths`, one argument for each; NULL
/// removes a value.
ResolvedScalar DocumentChangeFunction(std::shared_ptr<AttributeDictionary> dictionary,
                                      std::vector<PathId> paths);

/// document_put(JSON, JSON, ...): the first argument with the second one stored at the place to which the
/// other arguments lead. Steps of type VARCHAR are keys; missing ones are added to objects. Steps of type
/// BIGINT are element indexes, counted from 0 or from -1 backwards; the index after the last element appends.
/// NULL removes the element or member. Throws Error(kOutOfRange, 22023) if there is no such place. `name` is
/// the assigned name, for error messages.
ResolvedScalar DocumentPutFunction(std::vector<LogicalType> steps, std::string name);
/// document_value(JSON, VARCHAR): the value as `type`, which is one of DocumentProjection's types except
/// BLOB; NULL if the value has another type. The text names the type.
ResolvedScalar DocumentValueFunction(const LogicalType& type);
inline constexpr const char* kDocumentValue = "document_value";
/// document_order(JSON): a sort key in the order of JSON values (json_order.hpp); NULL for null.
/// document_number_order is the same for numbers, and NULL for all other values.
ResolvedScalar DocumentOrderFunction(bool numbers_alone);
/// document_number_orders(JSON): the sort keys of the numbers in an array; other elements are skipped. NULL
/// for values other than arrays.
ResolvedScalar DocumentNumberOrdersFunction();
inline constexpr const char* kDocumentNormal = "document_normal";
/// document_normal(JSON): the normal form, which equal values share; NULL for null.
ResolvedScalar DocumentNormalFunction();

/// document_matches(BLOB, VARCHAR, VARCHAR) and document_score: whether, and how well, the strings of a
/// record at a path and below match the query in the third argument. The second argument names the path for
/// EXPLAIN. The result is NULL if there are no strings. A `query` that is not null applies to all rows.
/// Throws Error(42601) for a malformed query. The call's data is a DocumentSearch.
ResolvedScalar DocumentSearchFunction(bool is_score, std::shared_ptr<AttributeDictionary> dictionary,
                                      PathId path, const std::string* query);

}  // namespace scaup
