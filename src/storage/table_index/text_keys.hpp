// TextKeyReader: the words of rows, which are the keys of a text index.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "common/memory/object_pool.hpp"
#include "document/attribute/attribute_dictionary.hpp"
#include "vector/vector.hpp"

namespace scaup {

/// The texts of a table's column that a text index covers.
struct TextIndexScope {
  /// The attributes of a collection, whose column holds document records. Null if the column itself is the
  /// text.
  std::shared_ptr<const AttributeDictionary> attributes;
  /// Names of paths of a collection (document_path.hpp), which need not exist yet. Empty for whole documents.
  std::vector<std::string> paths;
};

/// Returns the part of a word that the index stores. It is limited to the first bytes, since texts contain
/// more than words.
std::string_view IndexedPart(std::string_view word);

/// The distinct words of some rows.
struct RowWords {
  std::string bytes;                    ///< of all words, concatenated
  std::vector<std::string_view> words;  ///< row by row, ascending within each
  std::vector<size_t> begins;           ///< begin of each row's words, and the end of the last
};

/// Extracts words from the column of a text index. Thread-safe.
class TextKeyReader {
 public:
  explicit TextKeyReader(TextIndexScope scope);
  ~TextKeyReader();

  /// Replaces `words` by those of the first `count` rows, in the form that the index stores; NULL has none.
  /// Throws Error(kIo, XX001) for a damaged record.
  void Read(Vector& column, size_t count, RowWords& words) const;
  /// Returns whether all texts at a path and below it are covered. If the column itself is the text, its path
  /// is kRootPath.
  bool Covers(PathId path) const;

 private:
  struct Work;

  TextIndexScope scope_;
  mutable ObjectPool<Work> pool_;
};

}  // namespace scaup
