# Uses ccache and a fast linker where they are installed; changes nothing where they are not.
find_program(SCAUP_CCACHE ccache)
if(SCAUP_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Precompiled headers are safe with ccache once it is told that they carry no timestamps that matter.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${SCAUP_CCACHE})
  add_compile_options(-fpch-preprocess)
endif()
find_program(SCAUP_MOLD mold)
find_program(SCAUP_LLD ld.lld)
if(SCAUP_MOLD)
  add_link_options(-fuse-ld=mold)
elseif(SCAUP_LLD)
  add_link_options(-fuse-ld=lld)
endif()
