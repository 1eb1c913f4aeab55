/* A host in C, without C++, that loads a plugin and unloads it, again and again, on several threads of its own. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int clashing_calls;

static const char* path;

static void* use(void* result) {
  void* plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  int (*use_plugin)(void);
  if (plugin == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    return NULL;
  }
  *(void**)&use_plugin = dlsym(plugin, "use_plugin");
  *(int*)result = use_plugin != NULL ? use_plugin() : 0;
  dlclose(plugin);
  return NULL; /* What the thread has for the plugin goes now. */
}

static long resident_pages(void) {
  long total = 0, resident = 0;
  FILE* file = fopen("/proc/self/statm", "r");
  if (file == NULL) return 0;
  if (fscanf(file, "%ld %ld", &total, &resident) != 2) resident = 0;
  fclose(file);
  return resident;
}

int main(int argument_count, char** arguments) {
  long before = 0, grown;
  if (argument_count != 2) return 2;
  path = arguments[1];
  for (int i = 0; i < 60; i++) {
    int result = 0;
    pthread_t thread;
    if (pthread_create(&thread, NULL, use, &result) != 0) return 3;
    pthread_join(thread, NULL);
    if (result != 42) {
      fprintf(stderr, "round %d: the plugin gave %d\n", i, result);
      return 1;
    }
    result = 0;
    use(&result);
    if (result != 42) return 1;
    if (i == 20) before = resident_pages();
  }
  grown = resident_pages() - before;
  if (grown > 2000) {
    fprintf(stderr, "forty rounds took %ld pages more\n", grown);
    return 1;
  }
  if (clashing_calls != 0) return 1;
  return 0;
}
