// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.branch;

import com.google.common.hash.Hashing;
import io.packing.bdt.BdtLookups;
import io.packing.bdt.ExtendedValue;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A set of branches with one base: a directory whose entries are the branches. An extended attribute of the directory says what
 * they are branches of, so that the table's journal and its backups keep that, too.
 *
 * @param path of the directory
 * @param origin the directory that was branched
 * @param snapshot the name of the origin's snapshot that is the base
 */
public record BranchSet(FilePath path, FilePath origin, String snapshot) {
    /** The extended attribute: a version, the name of the snapshot, and the path of the origin, a line each. */
    static final String ATTRIBUTE = "user.packing.branches";

    private static final String VERSION = "1";
    private static final String PREFIX = "branches-";
    private static final int HASH_DIGITS = 12;

    /** Returns a new set. Its base has a name that belongs to the path of the set. */
    static BranchSet of(FilePath path, FilePath origin) {
        return new BranchSet(path, origin, snapshotName(path));
    }

    /** Returns the name of the snapshot that a set at a path made, and that no other set did. */
    private static String snapshotName(FilePath path) {
        String hash = Hashing.sha256()
                .hashString(path.value(), StandardCharsets.UTF_8)
                .toString()
                .substring(0, HASH_DIGITS);
        return PREFIX + hash;
    }

    /** Returns the path of the base, in the origin's snapshot. */
    public FilePath base() {
        return origin.child(FilePath.SNAPSHOTS).child(snapshot);
    }

    /** Returns whether the set made its base: another one may name it in its attribute, which its owner writes. */
    boolean ownsBase() {
        return snapshot.equals(snapshotName(path));
    }

    BranchSet from(FilePath otherOrigin) {
        return new BranchSet(path, otherOrigin, snapshot);
    }

    ExtendedValue encode() {
        return new ExtendedValue(
                String.join("\n", VERSION, snapshot, origin.value()).getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Reads the set at a path; empty: the path has no directory, or it is no set of branches.
     *
     * @throws IllegalArgumentException when a newer version or another program wrote the attribute
     */
    public static Optional<BranchSet> find(BdtLookups bdt, FilePath path) throws IOException {
        Optional<ExtendedValue> value = bdt.extended(path).map(Map::copyOf).map(all -> all.get(ATTRIBUTE));
        return value.isEmpty() ? Optional.empty() : Optional.of(decode(path, value.get()));
    }

    private static BranchSet decode(FilePath path, ExtendedValue value) {
        List<String> lines = List.of(new String(value.bytes(), StandardCharsets.UTF_8).split("\n", 3));
        boolean isKnown = lines.size() == 3
                && lines.get(0).equals(VERSION)
                && lines.get(1).startsWith(PREFIX)
                && lines.get(1).indexOf('/') < 0
                && lines.get(2).startsWith("/");
        if (!isKnown) {
            throw new IllegalArgumentException(
                    "%s: its attribute %s was not written by this version of packing: update the program"
                            .formatted(path, ATTRIBUTE));
        }
        return new BranchSet(path, new FilePath(lines.get(2)), lines.get(1));
    }
}
