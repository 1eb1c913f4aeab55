// Python files: calls of scaup._filesystems by threads of the engine.
#include "python_files.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "python_functions.hpp"

namespace py = pybind11;

namespace scaup::python {

namespace {

/// A file system, or a file of one, with the context of its session.
class FileCalls {
 public:
  FileCalls(SharedCall files, py::object object)
      : files_(std::move(files)), object_(ShareObject(std::move(object))) {}

  /// Runs `work` with the object and the GIL. FileNotFoundError becomes Error(kIo, 58P01), any other
  /// exception Error(kIo, 38000).
  template <typename Work>
  void Run(const Work& work) const {
    files_.Run([&](const py::object& files) {
      try {
        work(*object_);
      } catch (const py::error_already_set& error) {
        if (!error.matches(PyExc_FileNotFoundError)) throw;
        files_.context->Note(error);
        throw Error(ErrorKind::kIo, "58P01", std::string(py::str(files.attr("message")(error.value()))));
      }
    });
  }
  /// The same with another object. Needs the GIL.
  FileCalls Of(py::object object) const { return {files_, std::move(object)}; }

 private:
  SharedCall files_;
  std::shared_ptr<py::object> object_;
};

class PythonFile final : public HostedFile {
 public:
  explicit PythonFile(FileCalls calls) : calls_(std::move(calls)) {
    calls_.Run([&](const py::object& file) {
      size_bytes_ = file.attr("size").cast<uint64_t>();
      version_ = file.attr("version").cast<std::string>();
      const py::object modified = file.attr("modified");
      if (!modified.is_none()) modified_ = modified.cast<int64_t>();
    });
  }

  uint64_t Size() override { return size_bytes_; }
  std::string Version() override { return version_; }
  std::optional<int64_t> ModifiedMicros() override { return modified_; }

  size_t Read(uint64_t offset, void* buffer, size_t size_bytes) override {
    size_t count = 0;
    calls_.Run([&](const py::object& file) {
      const py::bytes bytes = file.attr("read")(offset, offset + size_bytes);
      char* data = nullptr;
      Py_ssize_t size = 0;
      if (PyBytes_AsStringAndSize(bytes.ptr(), &data, &size) != 0) throw py::error_already_set();
      count = std::min(size_bytes, static_cast<size_t>(size));
      std::memcpy(buffer, data, count);
    });
    return count;
  }

 private:
  const FileCalls calls_;
  uint64_t size_bytes_ = 0;
  std::string version_;
  std::optional<int64_t> modified_;
};

class PythonFileWriter final : public HostedFileWriter {
 public:
  explicit PythonFileWriter(FileCalls calls) : calls_(std::move(calls)) {}
  ~PythonFileWriter() override {
    if (is_finished_) return;
    try {
      calls_.Run([](const py::object& file) { file.attr("abandon")(); });
    } catch (...) {
      // The error that interrupted the writing is the one to report.
    }
  }

  void Write(const void* bytes, size_t size_bytes) override {
    calls_.Run([&](const py::object& file) {
      file.attr("write")(py::bytes(static_cast<const char*>(bytes), size_bytes));
    });
  }
  void Finish() override {
    calls_.Run([](const py::object& file) { file.attr("finish")(); });
    is_finished_ = true;
  }

 private:
  const FileCalls calls_;
  bool is_finished_ = false;
};

class PythonFiles final : public FileHost {
 public:
  explicit PythonFiles(FileCalls calls) : calls_(std::move(calls)) {}

  std::unique_ptr<HostedFile> Open(const std::string& path, const FileUse&) override {
    return std::make_unique<PythonFile>(Made("open", path));
  }
  bool Exists(const std::string& path, const FileUse&) override {
    bool exists = false;
    calls_.Run([&](const py::object& files) { exists = files.attr("exists")(path).cast<bool>(); });
    return exists;
  }
  bool CanList() const override { return true; }
  std::vector<Entry> List(const std::string& folder, const FileUse&) override {
    std::vector<Entry> entries;
    calls_.Run([&](const py::object& files) {
      for (const py::handle entry : files.attr("list")(folder)) {
        const auto pair = py::reinterpret_borrow<py::tuple>(entry);
        entries.push_back({pair[0].cast<std::string>(), pair[1].cast<bool>()});
      }
    });
    return entries;
  }
  std::unique_ptr<HostedFileWriter> Create(const std::string& path, const FileUse&) override {
    return std::make_unique<PythonFileWriter>(Made("create", path));
  }

 private:
  FileCalls Made(const char* method, const std::string& path) const {
    std::optional<FileCalls> made;
    calls_.Run([&](const py::object& files) { made = calls_.Of(files.attr(method)(path)); });
    return std::move(*made);
  }

  const FileCalls calls_;
};

}  // namespace

std::shared_ptr<FileHost> MakePythonFiles(py::object files, std::shared_ptr<SourceContext> context) {
  const SharedCall shared{ShareObject(files), std::move(context)};
  return std::make_shared<PythonFiles>(FileCalls(shared, std::move(files)));
}

}  // namespace scaup::python
