// The encoding of strings by a symbol table: see fsst_encoder.hpp for how it works.
#pragma once

#include "storage/compression/compression.hpp"

namespace scaup {

const CompressionMethod& FsstMethod();

}  // namespace scaup
