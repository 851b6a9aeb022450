package io.packing.bdt;

import io.packing.blob.FilePath;
import java.util.Optional;

/**
 * One change of a mount's namespace or of the bytes of its files. None of them copies a byte: ranges are cloned, moved and
 * deleted by their addresses (ANViL §3.1).
 */
public sealed interface Operation {
    /**
     * Whether paths lead to bytes by it that they did not lead to, or that were others' before. Such an operation is answered
     * when it is as durable as {@code packing.durability} says of a closed file; the rest, as single renames and deletes, when
     * the master's own disk has it.
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
     * Makes a file share bytes of another file, or of itself. Overlapping ranges are as if the source had been read first. The
     * destination must exist. It grows when the range ends behind its end; what lies between is a hole.
     *
     * @param at offset in the destination
     */
    record CloneRange(ByteRange source, FilePath destination, long at) implements Operation {
        public CloneRange {
            checkTarget(source, at);
        }
    }

    /**
     * Makes bytes of a file those of another one; they become a hole where they were. Overlapping ranges are as if the source
     * had been taken out first.
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

    /** Gives a file another length; what it grows by is a hole. */
    record Truncate(FilePath path, long length) implements Operation {
        public Truncate {
            if (length < 0) {
                throw new IllegalArgumentException("%s: negative length %d".formatted(path, length));
            }
        }
    }

    /**
     * Makes a new file with the bytes of another one. Its attributes are the source's, but for the time and what the change
     * names.
     *
     * @param overwrite whether a file at the destination is replaced
     */
    record CloneFile(FilePath source, FilePath destination, boolean overwrite, AttributeChange change)
            implements Operation {}

    /**
     * Makes a directory that looks like another one, whatever is below it, and that can be changed by itself from then on. Copies
     * nothing: what is changed in either of them costs, the rest is there once. The source may be in a snapshot. It must not
     * contain the destination.
     */
    record CloneDirectory(FilePath source, FilePath destination) implements Operation {}

    /**
     * Moves a file or a directory with all below it.
     *
     * @param overwrite whether a file at the destination is replaced by a file
     */
    record Rename(FilePath from, FilePath to, boolean overwrite) implements Operation {}

    /**
     * Gives a file another name, at which nothing is. No name is more than the others: the file is there until the last one is deleted
     * or replaced.
     *
     * @param file one of its names
     */
    record Link(FilePath file, FilePath name) implements Operation {}

    /**
     * Moves all that is in a directory into another one, and deletes the first. Directories that are in both become one; what
     * is moved takes the place of anything else.
     */
    record MergeDirectory(FilePath from, FilePath to) implements Operation {}

    /**
     * Merges each directory of a directory into another one, in the order of their names, and deletes the first: so a job's
     * tasks become its output. A file beside the directories is refused.
     *
     * @param except the name of a directory that is deleted and not merged
     */
    record MergeEachDirectory(FilePath from, Optional<String> except, FilePath to) implements Operation {}

    /**
     * Makes a file without bytes. Its owner and group are empty and its mode is 0644, but for what the change names.
     *
     * @param overwrite whether a file at the path is replaced
     */
    record CreateFile(FilePath path, AttributeChange change, boolean overwrite) implements Operation {}

    /** Deletes a file, or a directory, with all below it when recursive. */
    record Delete(FilePath path, boolean recursive) implements Operation {}

    /**
     * Makes a directory.
     *
     * @param createParents whether missing ones above are made, and one that is there already is right
     */
    record MakeDirectory(FilePath path, DirectoryAttributes attributes, boolean createParents) implements Operation {}

    /** Changes what the change names. */
    record SetAttributes(FilePath path, AttributeChange change) implements Operation {}

    /**
     * Keeps what is below a directory as it is now, readable at {@code DIRECTORY/.snapshot/NAME}. Copies nothing, however much
     * is below it.
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
        // Refuses what no entry can be called.
        FilePath.ROOT.child(name);
    }

    private static void checkTarget(ByteRange source, long at) {
        if (at < 0 || at > Long.MAX_VALUE - source.length()) {
            throw new IllegalArgumentException("%s cannot go to offset %d".formatted(source, at));
        }
    }
}
