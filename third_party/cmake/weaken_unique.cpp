// weaken_unique OBJECT: makes the symbols of an object file that are unique in a process (STB_GNU_UNIQUE:
// what g++ makes of the static data of inline functions and templates) weak ones, which objcopy can then make
// local.
#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

namespace {

template <typename Header, typename Section, typename Symbol>
bool Weaken(unsigned char* file, size_t size) {
  const auto* header = reinterpret_cast<const Header*>(file);
  if (size < sizeof(Header) || header->e_shoff + size_t{header->e_shnum} * sizeof(Section) > size)
    return false;
  // With very many sections their number is in the first of them.
  const auto* sections = reinterpret_cast<const Section*>(file + header->e_shoff);
  const size_t count = header->e_shnum != 0 ? header->e_shnum : sections[0].sh_size;
  for (size_t i = 0; i < count; i++) {
    const Section& section = sections[i];
    if (section.sh_type != SHT_SYMTAB || section.sh_offset + section.sh_size > size) continue;
    auto* symbols = reinterpret_cast<Symbol*>(file + section.sh_offset);
    for (size_t n = 0; n < section.sh_size / sizeof(Symbol); n++) {
      unsigned char& info = symbols[n].st_info;
      if ((info >> 4) == STB_GNU_UNIQUE) info = static_cast<unsigned char>(STB_WEAK << 4 | (info & 0xF));
    }
  }
  return true;
}

}  // namespace

int main(int argument_count, char** arguments) {
  const int descriptor = argument_count == 2 ? open(arguments[1], O_RDWR) : -1;
  struct stat status {};
  if (descriptor < 0 || fstat(descriptor, &status) != 0 || status.st_size < EI_NIDENT) return 1;
  const auto size = static_cast<size_t>(status.st_size);
  void* mapped = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (mapped == MAP_FAILED) return 1;
  auto* file = static_cast<unsigned char*>(mapped);
  if (std::memcmp(file, ELFMAG, SELFMAG) != 0) return 1;
  const bool is_long = file[EI_CLASS] == ELFCLASS64;
  const bool is_done = is_long ? Weaken<Elf64_Ehdr, Elf64_Shdr, Elf64_Sym>(file, size)
                               : Weaken<Elf32_Ehdr, Elf32_Shdr, Elf32_Sym>(file, size);
  return is_done && munmap(mapped, size) == 0 && close(descriptor) == 0 ? 0 : 1;
}
