package io.packing.bdt;

import java.util.Optional;

/**
 * An entry of a listing.
 *
 * @param placement where a file's bytes are; empty: it is a directory, or a {@linkplain FoundEntry found} file that may not be read
 */
public record ListedEntry(FileStatus status, Optional<Placement> placement) {}
