package io.packing.bdt.tree;

import io.packing.blob.FilePath;
import java.util.Optional;

/**
 * One thing that differs between two trees.
 *
 * @param path in the tree where it is, relative to the tree
 * @param from where it was before it was renamed, relative to the other tree
 */
public record Difference(Kind kind, FilePath path, Optional<FilePath> from) {
    /** What happened to an entry. */
    public enum Kind {
        CREATED('+'),
        DELETED('-'),
        /** Its bytes or its attributes are others. */
        MODIFIED('M'),
        RENAMED('R');

        private final char letter;

        Kind(char letter) {
            this.letter = letter;
        }

        /** As in HDFS's report of a difference of snapshots. */
        public char letter() {
            return letter;
        }
    }

    static Difference of(Kind kind, FilePath path) {
        return new Difference(kind, path, Optional.empty());
    }
}
