package io.packing.bdt;

/** Owner, group and POSIX mode of a directory. */
public record DirectoryAttributes(String owner, String group, int mode) {}
