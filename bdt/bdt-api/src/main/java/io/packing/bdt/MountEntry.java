// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

/**
 * A row of the table of mounts.
 *
 * @param mount name of the mount
 * @param store of its blobs
 * @param group that has it
 * @param target of a move; empty without one
 * @param holder the identity of the target's table; empty without a move
 * @param token the number of the move; 0 without one
 */
public record MountEntry(String mount, String store, String group, String target, String holder, long token) {
    public MountEntry {
        if (mount.isEmpty() || group.isEmpty()) {
            throw new IllegalArgumentException("mount '%s' of group '%s'".formatted(mount, group));
        }
        if (target.isEmpty() != holder.isEmpty() || target.isEmpty() != (token == 0)) {
            throw new IllegalArgumentException(
                    "mount %s: a move to '%s' with holder '%s' and number %d".formatted(mount, target, holder, token));
        }
    }

    /** Makes the row of a mount without a move. */
    public MountEntry(String mount, String store, String group) {
        this(mount, store, group, "", "", 0);
    }

    public boolean isMoving() {
        return !target.isEmpty();
    }

    /** Returns this row during a move. */
    public MountEntry movingTo(String otherGroup, String otherHolder, long number) {
        return new MountEntry(mount, store, group, otherGroup, otherHolder, number);
    }

    /** Returns this row after the move. */
    public MountEntry arrived() {
        return new MountEntry(mount, store, target);
    }

    /** Returns this row after a move was undone. */
    public MountEntry stayed() {
        return new MountEntry(mount, store, group);
    }
}
