package io.packing.fuse;

/** Bytes of one file that another one, or the same, gets. */
public record CopiedRange(
        long from, long fromHandle, long fromOffset, long to, long toHandle, long toOffset, long length) {}
