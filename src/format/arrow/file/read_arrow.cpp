// Binds Arrow files.
#include "format/arrow/file/read_arrow.hpp"

#include "format/text/text_file.hpp"

namespace scaup {

namespace {

std::unique_ptr<BoundTableFunction> BindReadArrow(const FunctionContext& context,
                                                  const TableFunctionArguments& arguments) {
  FileRelationOptions options;
  for (const auto& [name, value] : arguments.named) ReadFileRelationOption(name, value, options);
  return BindArrowFiles(context, FindFiles(context, "read_arrow", arguments.positional.at(0)), options);
}

}  // namespace

std::unique_ptr<BoundArrowFiles> BindArrowFiles(const FunctionContext& context,
                                                const std::vector<std::string>& paths,
                                                const FileRelationOptions& options) {
  auto bound = std::make_unique<BoundArrowFiles>();
  std::vector<StoredFile> stored;
  uint64_t row_count = 0;
  for (const std::string& path : paths) {
    context.CheckInterrupt();
    const auto& file = bound->files.emplace_back(std::make_shared<const ArrowFile>(context, path));
    row_count += file->row_count();
    StoredFile& columns = stored.emplace_back(StoredFile{path, {}, {}});
    for (const ArrowType& column : file->type().children) {
      columns.names.push_back(column.name);
      columns.types.push_back(column.type);
    }
  }
  UniteFiles(stored, options, *bound);
  bound->estimated_row_count = row_count;
  return bound;
}

bool LooksLikeArrowPath(std::string_view path) {
  return PathEndsWith(path, ".arrow") || PathEndsWith(path, ".feather") || PathEndsWith(path, ".ipc") ||
         LooksLikeArrowStreamPath(path);
}

bool LooksLikeArrowStreamPath(std::string_view path) { return PathEndsWith(path, ".arrows"); }

TableFunction MakeReadArrow() {
  TableFunction function;
  function.name = "read_arrow";
  function.argument_types = {TypeId::kNull};
  function.named_arguments = FileRelationArguments();
  function.description =
      "The rows of files in Arrow's IPC format, also called Feather: a path, a pattern, or a list of them.";
  function.example = "SELECT * FROM read_arrow('data/*.arrow', filename => true)";
  function.bind = BindReadArrow;
  function.create_shared = CreateArrowFileShared;
  function.create_local = CreateArrowFileLocal;
  function.next = NextArrowFileChunk;
  return function;
}

}  // namespace scaup
