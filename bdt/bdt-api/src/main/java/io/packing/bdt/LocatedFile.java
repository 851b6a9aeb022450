package io.packing.bdt;

/** A file with the place of its bytes. */
public record LocatedFile(FileStatus status, Placement placement) {}
