# cmake --install: headers, both libraries, a config for find_package(scaup) and one for pkg-config.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(config_folder ${CMAKE_INSTALL_LIBDIR}/cmake/scaup)
install(TARGETS scaup EXPORT scaupTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/scaup DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES include/scaup.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT scaupTargets NAMESPACE scaup:: DESTINATION ${config_folder})
if(TARGET scaup_sealed)
  install(FILES ${CMAKE_BINARY_DIR}/libscaup.a DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()

# SCAUP_STATIC_NEEDS by the names of their libraries.
set(SCAUP_NEEDED re2 simdjson snappy zstd lz4 brotlidec brotlienc)
if(ZLIB_FOUND)
  list(APPEND SCAUP_NEEDED z)
endif()
if(BZIP2_FOUND)
  list(APPEND SCAUP_NEEDED bz2)
endif()
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/scaupConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/scaupConfig.cmake
                              INSTALL_DESTINATION ${config_folder} PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/scaupConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/scaupConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/scaupConfigVersion.cmake
        DESTINATION ${config_folder})

# Relative to where the file lies, so that what is installed can be moved.
file(RELATIVE_PATH SCAUP_PREFIX ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
list(TRANSFORM SCAUP_NEEDED PREPEND -l OUTPUT_VARIABLE needed)
list(JOIN needed " " SCAUP_NEEDED_OPTIONS)
configure_file(${CMAKE_CURRENT_LIST_DIR}/scaup.pc.in ${CMAKE_CURRENT_BINARY_DIR}/scaup.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/scaup.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
