package io.packing.bdt;

import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;

/**
 * What must hold before a vector's first operation, or the vector changes nothing. A version never changes its bytes: whoever
 * compared the bytes of two versions makes a conditional clone (ANViL §5.2) by asking for both versions.
 */
public sealed interface Precondition {
    FilePath path();

    /** This version of a file is at the path. */
    record SameVersion(FilePath path, FileVersion version) implements Precondition {}

    /** Nothing is at the path. */
    record Absent(FilePath path) implements Precondition {}
}
