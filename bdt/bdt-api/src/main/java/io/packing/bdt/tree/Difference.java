// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.tree;

import io.packing.blob.FilePath;
import java.util.Optional;

/**
 * A difference between two trees.
 *
 * @param path relative to the tree that has the entry
 * @param from path before a rename, relative to the other tree
 */
public record Difference(Kind kind, FilePath path, Optional<FilePath> from) {
    /** The kinds of a difference. */
    public enum Kind {
        CREATED('+'),
        DELETED('-'),
        /** The entry has other bytes or attributes. */
        MODIFIED('M'),
        RENAMED('R');

        private final char letter;

        Kind(char letter) {
            this.letter = letter;
        }

        /** Returns the letter of HDFS's report of a difference of snapshots. */
        public char letter() {
            return letter;
        }
    }

    static Difference of(Kind kind, FilePath path) {
        return new Difference(kind, path, Optional.empty());
    }
}
