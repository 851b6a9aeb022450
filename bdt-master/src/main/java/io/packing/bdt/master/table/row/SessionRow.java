// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.row;

import io.packing.bdt.WorkerRegistration;

/**
 * The latest session of a worker.
 *
 * @param floor claims of sessions before this session epoch are lost, unless they were reclaimed
 * @param buffer of the worker's registration
 * @param left whether the worker has said good-bye: the mount does without it until it begins anew
 */
public record SessionRow(SessionId id, String address, long floor, String buffer, boolean left) {
    /** One of a worker that stays. */
    public SessionRow(SessionId id, String address, long floor, String buffer) {
        this(id, address, floor, buffer, false);
    }

    public SessionRow asLeft() {
        return new SessionRow(id, address, floor, buffer, true);
    }

    public String worker() {
        return id.worker();
    }

    public long sessionEpoch() {
        return id.sessionEpoch();
    }

    /**
     * Returns whether another session of the worker may take its place at once. One of the same buffer may, since only one process has it.
     * So may a process that had taken its place before the newest recovery: the recovered table has forgotten that.
     *
     * @param recoveredAt position of the newest recovery; 0: there was none
     */
    public boolean yieldsTo(WorkerRegistration registration, long recoveredAt) {
        boolean hadItsPlace = sessionEpoch() < registration.previous() && registration.previous() <= recoveredAt;
        return registration.takesOver() && (registration.buffer().equals(buffer) || hadItsPlace);
    }

    public byte[] encode() {
        Bytes.Out out = new Bytes.Out()
                .number(sessionEpoch())
                .text(address)
                .number(floor)
                .text(buffer);
        return left ? out.byte1(1).toBytes() : out.toBytes();
    }

    public static SessionRow decode(String worker, byte[] bytes) {
        Bytes.In in = new Bytes.In(bytes);
        // Rows of older versions end here.
        return new SessionRow(
                new SessionId(worker, in.number()),
                in.text(),
                in.number(),
                in.hasMore() ? in.text() : "",
                in.hasMore() && in.byte1() == 1);
    }
}
