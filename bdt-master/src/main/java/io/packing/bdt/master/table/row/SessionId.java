// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.row;

/**
 * A worker's session with the master.
 *
 * @param sessionEpoch position of its registration in the mount's log: of a worker's sessions the largest is the latest
 */
public record SessionId(String worker, long sessionEpoch) {
    @Override
    public String toString() {
        return "session %d of worker %s".formatted(sessionEpoch, worker);
    }
}
