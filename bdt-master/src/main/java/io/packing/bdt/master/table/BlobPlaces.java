// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table;

import io.packing.bdt.Heartbeat;
import io.packing.bdt.HeartbeatReply;
import io.packing.bdt.MountHomes;
import java.io.IOException;

/** The places of a mount's blobs, as workers and clients learn them (RFC 0023). Thread-safe. */
public interface BlobPlaces {
    /** Returns the places as clients receive them. */
    MountHomes homes();

    /** Takes a report of a worker: brings late blobs to the first place before the table learns of them. */
    void admit(String worker, Heartbeat heartbeat) throws IOException;

    /** Returns a reply to a worker, with the number of the present places. */
    HeartbeatReply tell(HeartbeatReply reply);
}
