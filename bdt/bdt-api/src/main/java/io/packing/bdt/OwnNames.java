// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import io.packing.blob.FilePath;
import java.util.List;
import java.util.Optional;

/**
 * A page of the own names of a clone of a directory, parents before their entries.
 *
 * @param isClone false if the directory is no clone of the other one; then there are no names
 * @param names perhaps none, although a page follows
 * @param next the path behind which the next page begins, relative to the clone; empty: this page is the last
 */
public record OwnNames(boolean isClone, List<OwnName> names, Optional<FilePath> next) {
    /** The page for a directory that is no clone of the other one. */
    public static final OwnNames NO_CLONE = new OwnNames(false, List.of(), Optional.empty());

    public OwnNames {
        names = List.copyOf(names);
    }
}
