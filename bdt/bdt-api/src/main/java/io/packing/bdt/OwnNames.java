// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import java.util.List;

/**
 * A page of the own names of a clone of a directory, parents before their entries.
 *
 * @param isClone false if the directory is no clone of the other one; then there are no names
 * @param isLast true if no page follows
 */
public record OwnNames(boolean isClone, List<OwnName> names, boolean isLast) {
    /** The page for a directory that is no clone of the other one. */
    public static final OwnNames NO_CLONE = new OwnNames(false, List.of(), true);

    public OwnNames {
        names = List.copyOf(names);
    }
}
