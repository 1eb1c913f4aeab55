// The copies of the header as they are in the file, and what they say together.
#pragma once

#include <array>
#include <cstddef>

#include "common/file/file_system.hpp"
#include "storage/file/file_header.hpp"

namespace scaup {

/// The bytes of all copies of the header, one behind the other.
using HeaderImage = std::array<std::byte, kHeaderCopies * kHeaderBytes>;
/// Reads the copies; zeros where the file ends before.
void ReadHeaderImage(File& file, HeaderImage& image);

/// The newer of the intact header copies. The copies are written one after the other, so one is always
/// intact.
struct HeaderCopies {
  FileHeader header;           ///< the newer one
  bool are_different = false;  ///< the newer copy may not be on disk yet
  uint64_t older_copy = 0;     ///< if they differ: the older or torn copy
};
/// Throws Error(kIo, XX001) for a file that is foreign or has no intact copy, and Error(kNotSupported) for
/// another format. `file` is for the messages.
HeaderCopies DecodeHeaderImage(const HeaderImage& image, File& file);

/// Throws Error(kIo, XX001) if the file is shorter than the header says.
void CheckLength(File& file, const FileHeader& header);

}  // namespace scaup
