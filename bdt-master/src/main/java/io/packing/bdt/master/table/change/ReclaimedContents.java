// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.change;

import io.packing.bdt.master.table.row.Content;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.SessionId;
import java.io.IOException;

/** Contents whose bytes a worker says that it has. */
public final class ReclaimedContents {
    private ReclaimedContents() {}

    /**
     * Learns that a session of a worker has the bytes of a content.
     *
     * @param claimed whether its claim is deferred, should the table not know
     * @return whether it does, as far as the table knows, or they are in blobs by now
     */
    public static boolean reclaim(Contents contents, Content content, SessionId session, boolean claimed)
            throws IOException {
        if (content.place() instanceof Inode.Packed) {
            return true;
        }
        boolean deferred = claimed;
        if (content.place() instanceof Inode.Buffered buffered) {
            if (!buffered.worker().equals(session.worker())) {
                return false;
            }
            if (buffered.sessionEpoch() == session.sessionEpoch()) {
                return true;
            }
            deferred = buffered.deferred();
        }
        contents.place(content, new Inode.Buffered(session, deferred));
        return true;
    }
}
