// Exists so that the precompiled header of the unit tests has a file to be compiled with.
