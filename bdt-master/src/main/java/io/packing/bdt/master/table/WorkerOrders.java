// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table;

import io.packing.bdt.Heartbeat;
import io.packing.bdt.HeartbeatReply;

/** The orders of upkeep to workers, which go with the answers to heartbeats. Thread-safe. */
public interface WorkerOrders {
    /** Learns from a heartbeat which orders a worker takes, and how far it is. */
    void admit(String from, Heartbeat heartbeat);

    /** Returns a reply to a worker, with its order. */
    HeartbeatReply tell(String to, HeartbeatReply reply);
}
