// Parses JSON text into records.
#include "document/document_parser.hpp"

#include "document/document_scanner.hpp"

namespace scaup {

class DocumentParser::Work {
 public:
  explicit Work(std::shared_ptr<AttributeDictionary> dictionary) : scanner(std::move(dictionary)) {}

  DocumentScanner scanner;
  DocumentValues values;
  DocumentRecordWriter writer;
};

DocumentParser::DocumentParser(std::shared_ptr<AttributeDictionary> dictionary)
    : work_(std::make_unique<Work>(std::move(dictionary))) {}
DocumentParser::~DocumentParser() = default;

bool DocumentParser::Parse(std::string_view text, std::string& record, JsonFault& fault) {
  if (!work_->scanner.Scan(text, kRootPath, work_->values)) {
    fault = work_->scanner.fault();
    return false;
  }
  const std::string_view kept_text =
      work_->scanner.has_equal_keys() ? work_->scanner.CompactText() : std::string_view();
  work_->writer.Append(work_->values.entries, work_->values.bytes(), kept_text, record);
  return true;
}

}  // namespace scaup
