// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import io.packing.blob.FilePath;

/**
 * A name below a clone of a directory that does not come from the directory's tree unchanged: the clone has an entry of its own there, or none.
 *
 * @param path relative to the clone
 * @param isWhole true if nothing is known of the entries below the path: the trees there differ by more than the own names
 *     of one directory, so a reader compares their listings
 */
public record OwnName(FilePath path, boolean isWhole) {}
