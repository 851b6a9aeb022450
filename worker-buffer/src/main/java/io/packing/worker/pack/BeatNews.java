// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.pack;

import io.packing.bdt.Heartbeat;
import io.packing.bdt.HeartbeatReply;
import java.io.IOException;

/**
 * The news that heartbeats carry beside commits.
 *
 * @param places where the worker pushes to
 * @param copies of live bytes that the master orders
 */
public record BeatNews(PushPlaces places, CopyWork copies) {
    /** Returns a heartbeat with the news of this worker. */
    Heartbeat signed(Heartbeat heartbeat) {
        return copies.signed(places.signed(heartbeat));
    }

    /** Takes the master's news. */
    void heard(HeartbeatReply reply) throws IOException {
        copies.heard(reply);
        places.heard(reply);
    }
}
