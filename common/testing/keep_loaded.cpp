// In builds for the address sanitizer: libraries that are loaded stay so to the end. Leaks are
// looked for there, and only a library that is still loaded has a name that leaks.supp can
// have.

extern "C" __attribute__((visibility("default"))) int dlclose(void*)
{
  return 0;
}
