// SPDX-License-Identifier: Apache-2.0
package io.packing.it.rollback;

import java.util.Set;
import java.util.TreeSet;

/** A file of the model. It never changes: a change makes another one. */
final class ModelFile {
    private final int number;
    private final byte[] bytes;
    private final Set<Integer> writes;

    /**
     * Makes a file.
     *
     * @param number which distinguishes its names from those of other files with equal bytes
     * @param bytes for a reader; no caller changes them
     * @param writes numbers of the clients' writes that its bytes come from: if one of them is lost, so are bytes of
     *     the file
     */
    ModelFile(int number, byte[] bytes, Set<Integer> writes) {
        this.number = number;
        this.bytes = bytes;
        this.writes = Set.copyOf(writes);
    }

    int number() {
        return number;
    }

    byte[] bytes() {
        return bytes;
    }

    Set<Integer> writes() {
        return writes;
    }

    /** Returns the file after a change of its bytes. */
    ModelFile with(byte[] changed) {
        return new ModelFile(number, changed, writes);
    }

    /** Returns the file after a change that brought bytes of other writes. */
    ModelFile with(byte[] changed, Set<Integer> more) {
        Set<Integer> all = new TreeSet<>(writes);
        all.addAll(more);
        return new ModelFile(number, changed, all);
    }

    /** Returns another file with the bytes of this one. */
    ModelFile as(int other) {
        return new ModelFile(other, bytes, writes);
    }

    /** Returns whether bytes come from a write of this number, or from a later one. */
    boolean hasWriteFrom(int first) {
        return writes.stream().anyMatch(write -> write >= first);
    }

    @Override
    public String toString() {
        return "file %d of %d bytes from writes %s".formatted(number, bytes.length, writes);
    }
}
