package io.packing.sim.registry;

import java.util.PriorityQueue;

/** When the parts of a node are free, in virtual microseconds: each does one thing after the other. Confined to one thread. */
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

    /** When a node that is asked now would begin to read. */
    long diskFree() {
        return disk;
    }

    /** How long the disk has read, or will have when all is read. */
    long diskBusy() {
        return busy;
    }

    /** Reads files; returns when that has ended. */
    long read(long now, int files, long bytes) {
        long time = files * nodes.seekMicros() + micros(bytes, nodes.diskRate());
        disk = Math.max(now, disk) + time;
        busy += time;
        return disk;
    }

    /** Makes a slice of bytes that are read until then; returns when it is made. */
    long restore(long begin, long read, long bytes) {
        // The core that is free first works on what is there while the disk reads.
        long end = Math.max(read, Math.max(begin, cores.remove()) + micros(bytes, nodes.restoreRate()));
        cores.add(end);
        return end;
    }

    /** Sends bytes that are there from some time on; returns when the last one has left. */
    long send(long begin, long there, long bytes) {
        network = Math.max(there, Math.max(begin, network) + micros(bytes, nodes.networkRate()));
        return network;
    }
}
