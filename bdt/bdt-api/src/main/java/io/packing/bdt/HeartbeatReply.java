// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The master's orders to a worker, and the state of the log when it gave them.
 *
 * @param lease the time for which the worker counts as alive
 * @param sealNow orders it to seal and push all buffered files, whatever their size or age
 * @param leave orders it to take no new files, push its files, and leave; repeated until it has
 * @param drop ids of files that it may drop: deleted or overwritten while buffered
 * @param deleted those of them that it does not pack and keeps until {@code journalled} has reached the {@code position} of this reply: a
 *     recovery that lacks the journal of the deletion needs their bytes
 * @param position of the log; 0 from a master that does not tell
 * @param journalled the position up to which the store has all changes of names
 * @param homes the number of the mount's {@link MountHomes}; a worker that knows older ones asks for them
 * @param copy the worker's order to copy live bytes; empty: it drops the one that it has
 * @param lastDrop the number of the last file of {@code drop}; 0 from a master that gives each order once
 */
public record HeartbeatReply(
        Duration lease,
        boolean sealNow,
        boolean leave,
        List<Long> drop,
        List<Long> deleted,
        long position,
        long journalled,
        long homes,
        Optional<CopyOrder> copy,
        long lastDrop) {
    /** Makes a reply of a mount that was never evacuated. */
    public HeartbeatReply(
            Duration lease,
            boolean sealNow,
            boolean leave,
            List<Long> drop,
            List<Long> deleted,
            long position,
            long journalled) {
        this(lease, sealNow, leave, drop, deleted, position, journalled, 0, Optional.empty(), 0);
    }

    /** Makes a reply with orders alone. */
    public HeartbeatReply(Duration lease, boolean sealNow, boolean leave, List<Long> drop, List<Long> deleted) {
        this(lease, sealNow, leave, drop, deleted, 0, 0);
    }

    public HeartbeatReply {
        drop = List.copyOf(drop);
        deleted = List.copyOf(deleted);
    }

    /** Returns these orders with a state of the log that has the changes behind them. */
    public HeartbeatReply asOf(long newPosition, long newJournalled) {
        return new HeartbeatReply(
                lease, sealNow, leave, drop, deleted, newPosition, newJournalled, homes, copy, lastDrop);
    }

    /** Returns these orders with the number of the mount's homes. */
    public HeartbeatReply at(long newHomes) {
        return new HeartbeatReply(lease, sealNow, leave, drop, deleted, position, journalled, newHomes, copy, lastDrop);
    }

    /** Returns these orders with one to copy live bytes. */
    public HeartbeatReply copying(CopyOrder order) {
        return new HeartbeatReply(
                lease, sealNow, leave, drop, deleted, position, journalled, homes, Optional.of(order), lastDrop);
    }

    /** Returns these orders with the number of the last file to drop. */
    public HeartbeatReply numbered(long last) {
        return new HeartbeatReply(lease, sealNow, leave, drop, deleted, position, journalled, homes, copy, last);
    }
}
