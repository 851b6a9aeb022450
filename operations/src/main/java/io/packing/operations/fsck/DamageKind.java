// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.fsck;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.EnumSet;
import java.util.Set;

/** A kind of damage. */
public enum DamageKind {
    MISSING("missing", "the blob is not in the store"),
    SHORT("short", "the blob in the store ends before the bytes of the file"),
    LENGTH("length", "the blob in the store has another length than the table says"),
    OUTSIDE("outside", "the table puts bytes of the file where the blob has none"),
    UNKNOWN_BLOB("unknown-blob", "the table names a blob that it does not know"),
    HOLE("hole", "bytes of the file are in no blob"),
    CONTENT("content", "the file has bytes of a content that the table does not have, or has no use for"),
    ROW("row", "a row of the table cannot be read, or contradicts another one"),
    ORPHANED("orphaned", "the entry is in a directory that is in no directory"),
    LINK("link", "the name is one of a file that the table does not have"),
    LINKS("links", "the file counts other names than it has"),
    QUOTA("quota", "the quota of the directory counts other names or bytes than are there"),
    LOST("lost", "the worker that buffered the file came back without it"),
    UNREACHABLE("unreachable", "the worker that buffers the file is gone"),
    FOOTER(
            "footer",
            "the blob's footer is damaged: the file can be read, but not recovered without the master's table"),
    DISAGREEMENT("disagreement", "the blob's footer does not say of the file what the table says"),
    CHECKSUM("checksum", "bytes of the file do not fit their checksum"),
    OBJECT("object", "the store does not have the object of the file any more in the version that was adopted"),
    GAPS("gaps", "bytes of the blob that belong to no file of the table are damaged"),
    ACCOUNTS("accounts", "the table counts other live bytes of the blob than its files have"),
    ORPHAN("orphan", "the table does not know the blob"),
    NEWER(
            "newer",
            "the blob has versions that the table never gave out: the table is older, or another copy of it was used"),
    OLDER("older", "a recovery could not read an object that may have had a newer version of the file"),
    UNREAD("unread", "a recovery could not read the object: put it back and recover again, or packing mounts accept"),
    FOREIGN("foreign", "the object among the blobs is none");

    private static final Set<DamageKind> GONE =
            EnumSet.of(MISSING, SHORT, OUTSIDE, UNKNOWN_BLOB, HOLE, CONTENT, LINK, LOST);

    private final String word;
    private final String meaning;

    DamageKind(String word, String meaning) {
        this.word = word;
        this.meaning = meaning;
    }

    /** As a table's master tells it. */
    @JsonCreator
    static DamageKind of(String word) {
        for (DamageKind kind : values()) {
            if (kind.word.equals(word)) {
                return kind;
            }
        }
        return ROW;
    }

    /** Returns whether the file's bytes are gone, so that a repair sets it aside. */
    boolean leavesAFileWithoutBytes() {
        return GONE.contains(this);
    }

    public String meaning() {
        return meaning;
    }

    @JsonValue
    @Override
    public String toString() {
        return word;
    }
}
