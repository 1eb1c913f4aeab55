# Finds xxHash as the imported target XXHash::XXHash: its header alone, which is compiled in (XXH_INLINE_ALL).
find_path(XXHash_INCLUDE_DIR xxhash.h)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(XXHash REQUIRED_VARS XXHash_INCLUDE_DIR)
if(XXHash_FOUND AND NOT TARGET XXHash::XXHash)
  add_library(XXHash::XXHash INTERFACE IMPORTED)
  set_target_properties(XXHash::XXHash PROPERTIES INTERFACE_INCLUDE_DIRECTORIES ${XXHash_INCLUDE_DIR})
endif()
mark_as_advanced(XXHash_INCLUDE_DIR)
