// Extracts the words of rows.
#include "storage/table_index/text_keys.hpp"

#include <algorithm>

#include "document/document_strings.hpp"
#include "text/word_reader.hpp"

namespace scaup {

std::string_view IndexedPart(std::string_view word) {
  constexpr size_t kMostBytes = 128;
  return word.substr(0, kMostBytes);
}

/// Reusable memory for reading.
struct TextKeyReader::Work {
  explicit Work(const TextIndexScope& scope) : missing(scope.paths) {
    if (!scope.attributes) return;
    strings = std::make_unique<DocumentStrings>(scope.attributes, std::vector<PathId>{});
    if (missing.empty()) strings->AddPath(kRootPath);
  }
  /// Adds paths that did not exist before.
  void FindPaths(const AttributeDictionary& attributes) {
    std::erase_if(missing, [&](const std::string& name) {
      const auto path = attributes.FindPath(name);
      if (path) strings->AddPath(*path);
      return path.has_value();
    });
  }
  void AddWords(std::string_view text, RowWords& words) {
    for (reader.Begin(text); reader.Next();) {
      words.bytes += IndexedPart(reader.word());
      ends.push_back(words.bytes.size());
    }
  }

  std::unique_ptr<DocumentStrings> strings;  // null if the column itself is the text
  std::vector<std::string> missing;
  WordReader reader;
  std::vector<std::string_view> texts;
  std::vector<size_t> ends;      // of all words, in `bytes`
  std::vector<size_t> row_ends;  // of each row's words, in `ends`
};

TextKeyReader::TextKeyReader(TextIndexScope scope) : scope_(std::move(scope)) {}
TextKeyReader::~TextKeyReader() = default;

void TextKeyReader::Read(Vector& column, size_t count, RowWords& words) const {
  std::unique_ptr<Work> work = pool_.Take([&] { return std::make_unique<Work>(scope_); });
  // Documents that were inserted since may have created the paths.
  if (!work->missing.empty()) work->FindPaths(*scope_.attributes);
  words.bytes.clear();
  work->ends.clear();
  work->row_ends.clear();
  const UnifiedView view = column.View(count);
  const auto values = view.As<StringRef>();
  for (size_t row = 0; row < count; row++) {
    if (values.IsValid(row)) {
      if (work->strings) {
        work->strings->Collect(values[row].view(), work->texts);
        for (const std::string_view text : work->texts) work->AddWords(text, words);
      } else {
        work->AddWords(values[row].view(), words);
      }
    }
    // Positions rather than views, since `bytes` may still move.
    work->row_ends.push_back(work->ends.size());
  }
  words.words.clear();
  words.begins.assign(1, 0);
  size_t begin = 0, next = 0;
  for (const size_t row_end : work->row_ends) {
    const auto first = static_cast<std::ptrdiff_t>(words.words.size());
    for (; next < row_end; begin = work->ends[next++])
      words.words.emplace_back(words.bytes.data() + begin, work->ends[next] - begin);
    // A word counts once per row, however often the text has it.
    std::sort(words.words.begin() + first, words.words.end());
    words.words.erase(std::unique(words.words.begin() + first, words.words.end()), words.words.end());
    words.begins.push_back(words.words.size());
  }
  pool_.GiveBack(std::move(work));
}

bool TextKeyReader::Covers(PathId path) const {
  if (scope_.paths.empty()) return true;
  std::vector<PathId> paths;
  for (const std::string& name : scope_.paths) {
    if (const auto found = scope_.attributes->FindPath(name)) paths.push_back(*found);
  }
  // A path is covered if it or one of its ancestors is.
  while (std::find(paths.begin(), paths.end(), path) == paths.end()) {
    if (path == kRootPath) return false;
    path = scope_.attributes->ParentOf(path);
  }
  return true;
}

}  // namespace scaup
