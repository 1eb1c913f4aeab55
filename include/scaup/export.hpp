// Marks what the shared library shows; everything else is hidden.
#pragma once

#if defined(_WIN32)
#define SCAUP_API
#else
#define SCAUP_API __attribute__((visibility("default")))
#endif
