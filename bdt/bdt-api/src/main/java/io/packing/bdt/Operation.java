// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import io.packing.blob.FilePath;
import java.util.Optional;

/**
 * One change of a mount's namespace or of the bytes of its files. No operation copies a byte: it clones, moves and
 * deletes ranges by their addresses (ANViL §3.1).
 */
public sealed interface Operation {
    /**
     * Returns whether the operation gives paths bytes that they did not have. The master answers such an operation
     * when it is as durable as {@code packing.durability} asks for a closed file. It answers all others, such as single
     * renames and deletes, when its own disk has them.
     */
    default boolean givesBytes() {
        if (this instanceof Rename rename) {
            return rename.overwrite();
        }
        return !(this instanceof Delete
                || this instanceof Link
                || this instanceof MakeDirectory
                || this instanceof SetAttributes
                || this instanceof RenameSnapshot
                || this instanceof DropSnapshot);
    }

    /** Returns the file that gets bytes by an operation that {@link #givesBytes}; empty: files of a directory may. */
    default Optional<FilePath> receiver() {
        if (this instanceof CloneRange clone) {
            return Optional.of(clone.destination());
        } else if (this instanceof MoveRange move) {
            return Optional.of(move.destination());
        } else if (this instanceof DeleteRange delete) {
            return Optional.of(delete.range().path());
        } else if (this instanceof Truncate truncate) {
            return Optional.of(truncate.path());
        } else if (this instanceof CloneFile clone) {
            return Optional.of(clone.destination());
        } else if (this instanceof CreateFile create) {
            return Optional.of(create.path());
        } else if (this instanceof Rename rename) {
            return Optional.of(rename.to());
        }
        return Optional.empty();
    }

    /**
     * A clone of bytes: a file shares bytes of another file, or of itself. Overlapping ranges are as if it had read the source
     * first. The destination must exist. The destination grows when the range ends behind its end; a gap between them
     * is a hole.
     *
     * @param at offset in the destination
     */
    record CloneRange(ByteRange source, FilePath destination, long at) implements Operation {
        public CloneRange {
            checkTarget(source, at);
        }
    }

    /**
     * A move of bytes of a file into another one; their old place becomes a hole. Overlapping ranges are as if it had taken
     * the source out first.
     *
     * @param at offset in the destination
     */
    record MoveRange(ByteRange source, FilePath destination, long at) implements Operation {
        public MoveRange {
            checkTarget(source, at);
        }
    }

    /** The deletion of bytes of a file: they become a hole, which reads as zeros. A range that reaches the end makes the file shorter. */
    record DeleteRange(ByteRange range) implements Operation {}

    /** The change of a file's length; growth is a hole. */
    record Truncate(FilePath path, long length) implements Operation {
        public Truncate {
            if (length < 0) {
                throw new IllegalArgumentException("%s: negative length %d".formatted(path, length));
            }
        }
    }

    /**
     * A new file with the bytes of another one. Its attributes are the source's, except the time and those in the
     * change.
     *
     * @param overwrite replaces a file at the destination
     */
    record CloneFile(FilePath source, FilePath destination, boolean overwrite, AttributeChange change)
            implements Operation {}

    /**
     * A new directory with all contents of another one. From then on each can change independently. The operation copies no
     * row: only later changes of either cost space. The source may be in a snapshot. It must not contain the
     * destination.
     */
    record CloneDirectory(FilePath source, FilePath destination) implements Operation {}

    /**
     * A move of a file, or of a directory with all below it.
     *
     * @param overwrite lets a file replace a file at the destination
     */
    record Rename(FilePath from, FilePath to, boolean overwrite) implements Operation {}

    /**
     * Another name for a file, at a free path. All names are equal: the file stays until the last one is deleted or
     * replaced.
     *
     * @param file one of its names
     */
    record Link(FilePath file, FilePath name) implements Operation {}

    /**
     * A move of all entries of a directory into another one, and the deletion of the first. Directories that are in both become
     * one; a moved entry replaces any other one.
     */
    record MergeDirectory(FilePath from, FilePath to) implements Operation {}

    /**
     * A merge of each directory of a directory into another one, in the order of their names, and the deletion of the first. So a job's tasks become its output. A file beside the directories fails the operation.
     *
     * @param except the name of a directory that it deletes instead
     */
    record MergeEachDirectory(FilePath from, Optional<String> except, FilePath to) implements Operation {}

    /**
     * A new file without bytes. Its owner and group are empty and its mode is 0644, except as the change says.
     *
     * @param overwrite replaces a file at the path
     */
    record CreateFile(FilePath path, AttributeChange change, boolean overwrite) implements Operation {}

    /** The deletion of a file, or of a directory (with all below it when recursive). */
    record Delete(FilePath path, boolean recursive) implements Operation {}

    /**
     * A new directory.
     *
     * @param createParents makes missing parents, and accepts an existing directory
     */
    record MakeDirectory(FilePath path, DirectoryAttributes attributes, boolean createParents) implements Operation {}

    /** The change of a path's attributes that the change names. */
    record SetAttributes(FilePath path, AttributeChange change) implements Operation {}

    /**
     * A snapshot of the present tree below a directory, readable at {@code DIRECTORY/.snapshot/NAME}. The operation copies no row, for a
     * tree of any size.
     */
    record TakeSnapshot(FilePath directory, String name) implements Operation {
        public TakeSnapshot {
            checkName(name);
        }
    }

    /** Another name for a snapshot of a directory. */
    record RenameSnapshot(FilePath directory, String from, String to) implements Operation {
        public RenameSnapshot {
            checkName(from);
            checkName(to);
        }
    }

    /** The end of a snapshot of a directory. In the background, the master frees the bytes that only the snapshot had. */
    record DropSnapshot(FilePath directory, String name) implements Operation {
        public DropSnapshot {
            checkName(name);
        }
    }

    /** The longest name of a snapshot, in characters. */
    int MAX_SNAPSHOT_NAME = 255;

    private static void checkName(String name) {
        if (name.isEmpty() || name.indexOf('/') >= 0 || name.length() > MAX_SNAPSHOT_NAME) {
            throw new IllegalArgumentException(
                    "snapshot name '%s': a name has 1 to %d characters, and no /".formatted(name, MAX_SNAPSHOT_NAME));
        }
        // This refuses names that no entry can have.
        FilePath.ROOT.child(name);
    }

    private static void checkTarget(ByteRange source, long at) {
        if (at < 0 || at > Long.MAX_VALUE - source.length()) {
            throw new IllegalArgumentException("%s cannot go to offset %d".formatted(source, at));
        }
    }
}
