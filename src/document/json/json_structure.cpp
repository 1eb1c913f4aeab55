// The only file of src/document that includes simdjson, whose header is heavy.
#include "document/json/json_structure.hpp"

#include <algorithm>

#include <simdjson.h>

#include "common/throw.hpp"
#include "type/text/simdjson_code.hpp"
#include "type/text/utf8_text.hpp"

namespace scaup {

namespace {

/// Memory for texts longer than this is released afterwards: it is four times the text.
constexpr size_t kKeptCapacity = size_t{4} << 20;
constexpr size_t kFirstCapacity = size_t{16} << 10;

}  // namespace

struct JsonStructure::Scanner {
  std::unique_ptr<simdjson::internal::dom_parser_implementation> implementation;
};

JsonStructure::JsonStructure() : scanner_(std::make_unique<Scanner>()) {}
JsonStructure::~JsonStructure() = default;

bool JsonStructure::Index(std::string_view text) {
  SCAUP_ASSERT(text.size() <= UINT32_MAX);
  begins_ = nullptr;
  size_ = 0;
  if (text.empty()) return false;
  auto& implementation = scanner_->implementation;
  const size_t capacity = implementation ? implementation->capacity() : 0;
  if (text.size() > capacity || (capacity > kKeptCapacity && text.size() <= kKeptCapacity)) {
    implementation.reset();
    // The depth passed is 1, because simdjson's second stage is not used.
    if (SimdjsonCode().create_dom_parser_implementation(
            std::max({kFirstCapacity, text.size(), std::min(kKeptCapacity, 2 * text.size())}), 1,
            implementation) != simdjson::SUCCESS)
      ThrowError(ErrorKind::kOutOfMemory, sqlstate::kOutOfMemory, "out of memory for a JSON document");
  }
  if (implementation->stage1(reinterpret_cast<const uint8_t*>(text.data()), text.size(),
                             simdjson::stage1_mode::regular) != simdjson::SUCCESS)
    return false;
  begins_ = implementation->structural_indexes.get();
  size_ = implementation->n_structural_indexes;
  return true;
}

std::optional<size_t> FindBadUtf8(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const auto lead = static_cast<unsigned char>(text[at]);
    const size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (length > text.size() - at || !IsUtf8(text.substr(at, length))) return at;
    at += length;
  }
  return std::nullopt;
}

}  // namespace scaup
