// The single object of each compression method; each is defined in the file of its name.
#pragma once

#include "storage/compression/compression.hpp"

namespace scaup {

const CompressionMethod& ConstantMethod();
const CompressionMethod& RunLengthMethod();
const CompressionMethod& FrameOfReferenceMethod();
const CompressionMethod& DeltaMethod();
const CompressionMethod& DictionaryMethod();
const CompressionMethod& FsstMethod();
const CompressionMethod& AlpMethod();
const CompressionMethod& RawMethod();

}  // namespace scaup
