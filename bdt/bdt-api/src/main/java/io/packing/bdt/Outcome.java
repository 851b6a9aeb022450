package io.packing.bdt;

/** How the namespace answered a mutation. */
public enum Outcome {
    DONE,
    /** No such file or directory. */
    NOT_FOUND,
    /** The path, or the destination, exists. */
    EXISTS,
    /** The parent directory does not exist. */
    NO_PARENT,
    /** A component of the path, or the path itself, is a file. */
    NOT_A_DIRECTORY,
    /** The path is a directory where a file was meant. */
    IS_A_DIRECTORY,
    /** A directory has entries and the delete was not recursive. */
    NOT_EMPTY,
    /** The root cannot be changed so, a directory would move below itself, or a range is not in the file. */
    INVALID,
    /** Another version is there than the one that was asked for. */
    CHANGED,
    /** No content of the mount has the bytes that a claim names by their hash. */
    UNKNOWN_CONTENT,
    /**
     * The bytes of a file are not as durable as its mount asks, because its close was not answered yet: nothing may be made of
     * them, and they may not take the place of others. Goes by itself.
     */
    UNCOMMITTED,
    /** The caller may not: only a claim is answered so, all else fails with {@link DeniedException}. */
    DENIED,
    /** There is no extended attribute of this name. */
    NO_ATTRIBUTE,
    /** All extended attributes of a file together would be too large. */
    NO_ROOM,
    /** A directory would have more names than its quota: only a claim is answered so, all else fails with {@link QuotaExceededException}. */
    NAMES_QUOTA,
    /** The same of bytes. */
    BYTES_QUOTA
}
