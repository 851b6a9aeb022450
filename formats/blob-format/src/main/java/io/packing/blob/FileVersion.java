// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

/**
 * The identity of one written content: a file id that is never reused, and the generation, which is the position of its
 * claim in the mount's log. The later one of two versions of a path has the larger generation. Commits carry it, so a
 * late commit never resurrects a file that was deleted, overwritten or renamed meanwhile.
 */
public record FileVersion(long id, long generation) {
    public FileVersion {
        if (id <= 0 || generation < 0) {
            throw new IllegalArgumentException("bad file version %d@%d".formatted(id, generation));
        }
    }

    @Override
    public String toString() {
        return id + "@" + generation;
    }
}
