// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import java.util.Optional;

/**
 * An entry of a listing.
 *
 * @param placement of a file's bytes; empty: it is a directory, or a {@linkplain FoundEntry found} file that the caller
 *     may not read
 */
public record ListedEntry(FileStatus status, Optional<Placement> placement) {}
