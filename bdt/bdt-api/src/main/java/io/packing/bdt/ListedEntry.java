package io.packing.bdt;

import java.util.Optional;

/**
 * An entry of a listing.
 *
 * @param placement where a file's bytes are; empty: it is a directory
 */
public record ListedEntry(FileStatus status, Optional<Placement> placement) {}
