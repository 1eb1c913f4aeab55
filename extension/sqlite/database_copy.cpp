// Copies databases by exporting and importing them, in a directory that is removed afterwards.
#include "database_copy.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "schema.hpp"
#include "token.hpp"

namespace scaup::sqlite {

namespace {

/// A directory for a copy on its way.
class CopyDirectory {
 public:
  CopyDirectory() {
    std::string pattern = (std::filesystem::temp_directory_path() / "scaup_sqlite_XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr)
      throw Error(ErrorKind::kIo, "58030", "cannot make a directory for the copy of a database: " + pattern);
    path_ = pattern;
  }
  ~CopyDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  CopyDirectory(const CopyDirectory&) = delete;
  CopyDirectory& operator=(const CopyDirectory&) = delete;
  std::string File(const char* name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

void DropAll(Connection& target) {
  Schema schema;
  schema.Load(target);
  for (const bool drops_views : {true, false}) {
    for (const SchemaTable& table : schema.tables()) {
      if (table.schema == "main" && table.is_view == drops_views)
        target.Query(std::string("DROP ") + (drops_views ? "VIEW" : "TABLE") + " IF EXISTS " +
                     table.QuotedName() + " CASCADE");
    }
  }
}

}  // namespace

void CopyDatabase(Connection& source, Connection& target) {
  const CopyDirectory directory;
  const std::string path = QuoteText(directory.File("export"));
  source.Query("EXPORT DATABASE " + path);
  DropAll(target);
  target.Query("IMPORT DATABASE " + path);
}

std::string SerializeDatabase(Connection& source) {
  const CopyDirectory directory;
  const std::string path = directory.File("database");
  {
    const Database database(path);
    Connection target(database);
    CopyDatabase(source, target);
  }
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void DeserializeDatabase(std::string_view bytes, Connection& target) {
  const CopyDirectory directory;
  const std::string path = directory.File("database");
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  const Database database(path, {{"access_mode", "read_only"}});
  Connection source(database);
  CopyDatabase(source, target);
}

}  // namespace scaup::sqlite
