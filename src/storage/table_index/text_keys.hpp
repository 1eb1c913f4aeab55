// The words of rows: what the keys of a text index are made of.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "common/memory/object_pool.hpp"
#include "document/attribute/attribute_dictionary.hpp"
#include "vector/vector.hpp"

namespace scaup {

/// Which texts of a table's column a text index is over.
struct TextIndexScope {
  /// The attributes of a collection, whose column are the records of documents; null where the column is the
  /// text.
  std::shared_ptr<const AttributeDictionary> attributes;
  /// Names of paths of a collection (document_path.hpp), which need not be there yet; none: whole documents.
  std::vector<std::string> paths;
};

/// The part of a word that an index has: no more than its first bytes, as texts contain other things than
/// words.
std::string_view IndexedPart(std::string_view word);

/// The distinct words of some rows.
struct RowWords {
  std::string bytes;                    ///< of all of them, one behind the other
  std::vector<std::string_view> words;  ///< of row after row, ascending
  std::vector<size_t> begins;           ///< where those of each row begin, and the end of those of the last
};

/// Takes words out of the column of a text index. Thread-safe.
class TextKeyReader {
 public:
  explicit TextKeyReader(TextIndexScope scope);
  ~TextKeyReader();

  /// Replaces `words` by those of the first `count` rows, as the index has them; NULL has none. Throws
  /// Error(kIo, XX001) for a damaged record.
  void Read(Vector& column, size_t count, RowWords& words) const;
  /// Whether all texts at a path and below are read. The path of a column that is the text is kRootPath.
  bool Covers(PathId path) const;

 private:
  struct Work;

  TextIndexScope scope_;
  mutable ObjectPool<Work> pool_;
};

}  // namespace scaup
