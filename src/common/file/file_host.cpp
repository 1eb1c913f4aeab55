// The parts of file hosts that programs need not write.
#include "scaup/file_host.hpp"

#include <cstring>

#include "common/throw.hpp"

namespace scaup {

FileUse::~FileUse() = default;
HostedFile::~HostedFile() = default;
HostedFileWriter::~HostedFileWriter() = default;
FileHost::~FileHost() = default;

std::string HostedFile::Version() { return ""; }
std::optional<int64_t> HostedFile::ModifiedMicros() { return std::nullopt; }

bool FileHost::Exists(const std::string& path, const FileUse& use) {
  try {
    return Open(path, use) != nullptr;
  } catch (const Error& error) {
    if (std::strcmp(error.sqlstate(), sqlstate::kUndefinedFile) != 0) throw;
    return false;
  }
}

bool FileHost::CanList() const { return false; }

std::vector<FileHost::Entry> FileHost::List(const std::string& folder, const FileUse&) {
  ThrowNotSupported("the folder \"" + folder + "\" cannot be listed: its file system offers no lists");
}

std::unique_ptr<HostedFileWriter> FileHost::Create(const std::string& path, const FileUse&) {
  ThrowNotSupported("could not write \"" + path + "\": its file system is only for reading");
}

}  // namespace scaup
