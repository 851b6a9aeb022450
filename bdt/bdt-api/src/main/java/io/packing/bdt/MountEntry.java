package io.packing.bdt;

/**
 * A line of the table of mounts.
 *
 * @param mount its name
 * @param store where its blobs are
 * @param group that has it
 * @param target that it is being moved to; empty: it is not being moved
 * @param holder what tells the tables of the target from all others; empty when there is no target
 * @param token the number of the move; 0 when there is none
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

    /** A mount that is not being moved. */
    public MountEntry(String mount, String store, String group) {
        this(mount, store, group, "", "", 0);
    }

    public boolean isMoving() {
        return !target.isEmpty();
    }

    /** The same while it is being moved. */
    public MountEntry movingTo(String otherGroup, String otherHolder, long number) {
        return new MountEntry(mount, store, group, otherGroup, otherHolder, number);
    }

    /** The same after the move. */
    public MountEntry arrived() {
        return new MountEntry(mount, store, target);
    }

    /** The same when the move was undone. */
    public MountEntry stayed() {
        return new MountEntry(mount, store, group);
    }
}
