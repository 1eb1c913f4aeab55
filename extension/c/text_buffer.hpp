// Texts that are written into a buffer of the program.
#pragma once

#include <cstddef>
#include <string_view>

namespace scaup::c {

/// Copies a text and a NUL, cut to `capacity` bytes, and stores the text's length in `length` unless that is
/// null. Throws Error(kUsage) if `buffer` is null but `capacity` is not 0.
void CopyText(std::string_view text, char* buffer, size_t capacity, size_t* length);

}  // namespace scaup::c
