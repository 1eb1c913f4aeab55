// Finds libcurl.
#include "format/http/curl_library.hpp"

#include "common/dynamic_library.hpp"

namespace scaup {

namespace {

bool FindCurl(const DynamicLibrary& from, CurlLibrary& to) {
  const bool is_complete =
      from.Find("curl_global_init", to.global_init) && from.Find("curl_easy_init", to.easy_init) &&
      from.Find("curl_easy_setopt", to.easy_setopt) && from.Find("curl_easy_perform", to.easy_perform) &&
      from.Find("curl_easy_getinfo", to.easy_getinfo) && from.Find("curl_easy_reset", to.easy_reset) &&
      from.Find("curl_easy_cleanup", to.easy_cleanup) && from.Find("curl_easy_strerror", to.easy_strerror);
  // Once, before threads use it; what it makes stays as long as the process.
  return is_complete && to.global_init(CurlLibrary::kGlobalDefault) == CurlLibrary::kOk;
}

}  // namespace

const CurlLibrary& CurlLibrary::Get() {
  return FunctionsOf({"libcurl.so.4", "libcurl-gnutls.so.4", "libcurl.4.dylib", "libcurl.dylib"}, FindCurl,
                     "this system has no libcurl.so.4, which reads files over HTTP: install libcurl4");
}

}  // namespace scaup
