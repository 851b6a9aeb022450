package io.packing.bdt;

import java.util.OptionalLong;

/**
 * How many names and bytes a directory may have with all below it, and has.
 *
 * @param mostNames empty: no limit
 * @param mostBytes empty: no limit
 * @param names files and directories, the directory itself among them
 * @param bytes of all files, as long as they are
 */
public record Quota(OptionalLong mostNames, OptionalLong mostBytes, long names, long bytes) {}
