package io.packing.bdt;

import io.packing.blob.FilePath;
import java.util.Optional;

/**
 * One change of a mount's namespace or of the bytes of its files. No operation copies a byte: it clones, moves and
 * deletes ranges by their addresses (ANViL §3.1).
 */
public sealed interface Operation {
    /**
     * Returns true if paths lead to bytes by it that they did not lead to before. The master answers such an operation
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

    /**
     * Makes a file share bytes of another file, or of itself. Overlapping ranges are as if it had read the source
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
     * Moves bytes of a file into another one; their old place becomes a hole. Overlapping ranges are as if it had taken
     * the source out first.
     *
     * @param at offset in the destination
     */
    record MoveRange(ByteRange source, FilePath destination, long at) implements Operation {
        public MoveRange {
            checkTarget(source, at);
        }
    }

    /** Makes bytes of a file a hole, which reads as zeros; a range that reaches the end makes the file shorter. */
    record DeleteRange(ByteRange range) implements Operation {}

    /** Gives a file another length; growth is a hole. */
    record Truncate(FilePath path, long length) implements Operation {
        public Truncate {
            if (length < 0) {
                throw new IllegalArgumentException("%s: negative length %d".formatted(path, length));
            }
        }
    }

    /**
     * Makes a new file with the bytes of another one. Its attributes are the source's, except the time and those in the
     * change.
     *
     * @param overwrite replaces a file at the destination
     */
    record CloneFile(FilePath source, FilePath destination, boolean overwrite, AttributeChange change)
            implements Operation {}

    /**
     * Makes a directory with all contents of another one, which can change independently from then on. It copies no
     * row: only later changes of either cost space. The source may be in a snapshot. It must not contain the
     * destination.
     */
    record CloneDirectory(FilePath source, FilePath destination) implements Operation {}

    /**
     * Moves a file or a directory with all below it.
     *
     * @param overwrite lets a file replace a file at the destination
     */
    record Rename(FilePath from, FilePath to, boolean overwrite) implements Operation {}

    /**
     * Gives a file another name at a free path. All names are equal: the file stays until the last one is deleted or
     * replaced.
     *
     * @param file one of its names
     */
    record Link(FilePath file, FilePath name) implements Operation {}

    /**
     * Moves all entries of a directory into another one, and deletes the first. Directories that are in both become
     * one; a moved entry replaces any other one.
     */
    record MergeDirectory(FilePath from, FilePath to) implements Operation {}

    /**
     * Merges each directory of a directory into another one, in the order of their names, and deletes the first: so a
     * job's tasks become its output. A file beside the directories is refused.
     *
     * @param except the name of a directory that it deletes instead
     */
    record MergeEachDirectory(FilePath from, Optional<String> except, FilePath to) implements Operation {}

    /**
     * Makes a file without bytes. Its owner and group are empty and its mode is 0644, except as the change says.
     *
     * @param overwrite replaces a file at the path
     */
    record CreateFile(FilePath path, AttributeChange change, boolean overwrite) implements Operation {}

    /** Deletes a file, or a directory (with all below it when recursive). */
    record Delete(FilePath path, boolean recursive) implements Operation {}

    /**
     * Makes a directory.
     *
     * @param createParents makes missing parents, and accepts an existing directory
     */
    record MakeDirectory(FilePath path, DirectoryAttributes attributes, boolean createParents) implements Operation {}

    /** Changes the attributes that the change names. */
    record SetAttributes(FilePath path, AttributeChange change) implements Operation {}

    /**
     * Keeps the present tree below a directory, readable at {@code DIRECTORY/.snapshot/NAME}. It copies no row, for a
     * tree of any size.
     */
    record TakeSnapshot(FilePath directory, String name) implements Operation {
        public TakeSnapshot {
            checkName(name);
        }
    }

    /** Gives a snapshot of a directory another name. */
    record RenameSnapshot(FilePath directory, String from, String to) implements Operation {
        public RenameSnapshot {
            checkName(from);
            checkName(to);
        }
    }

    /** Gives up a snapshot of a directory, and in the background the bytes that only it had. */
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
