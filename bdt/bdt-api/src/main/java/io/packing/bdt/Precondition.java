// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;

/**
 * A condition that must hold before a vector's first operation, or the vector changes no row. A version never changes
 * its bytes. So a client that compared two versions makes a conditional clone (ANViL §5.2) with preconditions for both.
 */
public sealed interface Precondition {
    FilePath path();

    /** The path has this version of a file. */
    record SameVersion(FilePath path, FileVersion version) implements Precondition {}

    /** The path has no entry. */
    record Absent(FilePath path) implements Precondition {}
}
