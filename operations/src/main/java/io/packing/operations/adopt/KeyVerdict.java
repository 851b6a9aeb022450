// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.adopt;

import io.packing.blob.FilePath;

/** The place of an object in the tree, or the reason why it has none. */
sealed interface KeyVerdict {
    /** The object becomes the file at this path. */
    record File(FilePath path) implements KeyVerdict {}

    /** No path can be made of the key. */
    record Refused(String reason) implements KeyVerdict {}

    /** The mount has written the object itself. */
    record Own() implements KeyVerdict {}
}
