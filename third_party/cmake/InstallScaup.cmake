# cmake --install: headers, both libraries, and a config for find_package(scaup).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
install(TARGETS scaup EXPORT scaupTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/scaup DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT scaupTargets NAMESPACE scaup:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/scaup)
# The static library is installed as a file: what it needs itself is the linking program's to provide.
install(FILES $<TARGET_FILE:scaup_static> DESTINATION ${CMAKE_INSTALL_LIBDIR})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/scaupConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/scaupConfig.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/scaup)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/scaupConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/scaupConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/scaupConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/scaup)
