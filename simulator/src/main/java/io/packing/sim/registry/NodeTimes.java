// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.registry;

import java.util.PriorityQueue;

/**
 * The times at which the parts of a node are free, in virtual microseconds: each does one thing after the other.
 * Confined to one thread.
 */
final class NodeTimes {
    private static final double MICROS = 1e6;

    private final RegistryNodes nodes;
    private long disk;
    private final PriorityQueue<Long> cores = new PriorityQueue<>();
    private long network;
    private long busy;

    NodeTimes(RegistryNodes nodes) {
        this.nodes = nodes;
        for (int i = 0; i < nodes.cores(); i++) {
            cores.add(0L);
        }
    }

    private static long micros(long bytes, double rate) {
        return (long) (bytes * MICROS / rate);
    }

    /** Returns the time at which the node would begin a new read. */
    long diskFree() {
        return disk;
    }

    /** Returns the time of all reads so far, including those that have not ended. */
    long diskBusy() {
        return busy;
    }

    /** Reads files; returns the time of the end. */
    long read(long now, int files, long bytes) {
        long time = files * nodes.seekMicros() + micros(bytes, nodes.diskRate());
        disk = Math.max(now, disk) + time;
        busy += time;
        return disk;
    }

    /** Restores a slice of bytes whose read ends at {@code read}; returns the time of the end. */
    long restore(long begin, long read, long bytes) {
        // The core that is free first restores the bytes already read, while the disk goes on.
        long end = Math.max(read, Math.max(begin, cores.remove()) + micros(bytes, nodes.restoreRate()));
        cores.add(end);
        return end;
    }

    /** Sends bytes that are complete at a time; returns the time at which the last one has left. */
    long send(long begin, long there, long bytes) {
        network = Math.max(there, Math.max(begin, network) + micros(bytes, nodes.networkRate()));
        return network;
    }
}
