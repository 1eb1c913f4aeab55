// Python files: file systems of Python, such as those of fsspec, whose files SQL reads and writes.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>

#include "python_tables.hpp"
#include "scaup/file_host.hpp"

namespace scaup::python {

/// Makes the host of a file system for one session. `files` is a FileCaller of scaup._filesystems. Needs the
/// GIL; the host acquires it itself when it is called or destroyed.
std::shared_ptr<FileHost> MakePythonFiles(pybind11::object files, std::shared_ptr<SourceContext> context);

}  // namespace scaup::python
