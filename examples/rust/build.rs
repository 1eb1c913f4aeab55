//! Links with the installed Scaup that pkg-config knows.
use std::process::Command;

fn main() {
    let output = Command::new("pkg-config").args(["--libs", "scaup"]).output().expect("pkg-config is missing");
    assert!(output.status.success(), "pkg-config finds no scaup: set PKG_CONFIG_PATH");
    for option in String::from_utf8_lossy(&output.stdout).split_whitespace() {
        if let Some(folder) = option.strip_prefix("-L") {
            println!("cargo:rustc-link-search=native={folder}");
            println!("cargo:rustc-link-arg=-Wl,-rpath,{folder}");
        } else if let Some(library) = option.strip_prefix("-l") {
            println!("cargo:rustc-link-lib=dylib={library}");
        }
    }
    println!("cargo:rerun-if-env-changed=PKG_CONFIG_PATH");
}
