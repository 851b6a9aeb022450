// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

/** The answers of the namespace to a mutation. */
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
    /** The path has another version than the caller asked for. */
    CHANGED,
    /** No content of the mount has the bytes that a claim names by their hash. */
    UNKNOWN_CONTENT,
    /**
     * The bytes of a file are not yet as durable as its mount asks, since its close got no answer: no file may share or
     * replace them. This state ends by itself.
     */
    UNCOMMITTED,
    /** The caller lacks a right: the answer to a claim only; all other calls throw {@link DeniedException}. */
    DENIED,
    /** The entry has no extended attribute of this name. */
    NO_ATTRIBUTE,
    /** All extended attributes of a file together would be too large. */
    NO_ROOM,
    /**
     * A directory would have more names than its quota: the answer to a claim only; all other calls throw {@link
     * QuotaExceededException}.
     */
    NAMES_QUOTA,
    /** A directory would have more bytes than its quota, as above. */
    BYTES_QUOTA
}
