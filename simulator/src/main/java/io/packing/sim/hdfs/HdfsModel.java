// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.hdfs;

import io.packing.sim.Cause;
import io.packing.sim.LocalIo;
import io.packing.sim.node.DataNode;
import io.packing.trace.Call;
import io.packing.trace.TraceEvent;
import io.packing.trace.TraceOrigin;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A model of HBase over HDFS (§3.2.2). Every region server has one replica of its data on its own machine, which it
 * reads. The other replicas are on the next machines of the ring. A write is local I/O on all of them at one instant,
 * and network bytes for all but the first.
 *
 * <p>A ring of one machine is a mirror: its peers are assumed to do equal work, so it stores all replicas itself.
 */
public final class HdfsModel {
    private final HdfsOptions config;
    private final DataNode[] nodes;
    private final HdfsCounters counters = new HdfsCounters();
    private final Causes causes = new Causes();
    private final Map<String, HdfsFile> files = new HashMap<>();
    private final List<String> machines;
    private final Optional<Touched> touched;
    private final TraceOrigin[] origins = new TraceOrigin[64];
    private final int[] originMachines = new int[64];
    private int seen;
    private final LocalIo io = new LocalIo();
    private int[] freeLocals = {};
    private int freeCount;
    private int locals;

    /**
     * @param nodes of the ring if all are observed, otherwise the observed one alone
     * @param touched whether to count distinct bytes
     * @param hosts names of machines in the order of the ring; further machines follow as they appear
     */
    public HdfsModel(HdfsOptions config, List<DataNode> nodes, boolean touched, List<String> hosts) {
        if (nodes.size() != (config.observed() == HdfsOptions.ALL ? config.nodes() : 1)) {
            throw new IllegalArgumentException("%d nodes for %s".formatted(nodes.size(), config));
        }
        this.config = config;
        this.nodes = nodes.toArray(DataNode[]::new);
        this.machines = new ArrayList<>(hosts);
        this.touched = touched ? Optional.of(new Touched()) : Optional.empty();
    }

    public HdfsCounters counters() {
        return counters;
    }

    /** Returns the distinct bytes of live local files that an operation touched; 0 if they are not counted. */
    public long touchedBytes() {
        return touched.map(Touched::bytes).orElse(0L);
    }

    /** Returns the part of them that a get or a flush touched. */
    public long touchedByCoreBytes() {
        return touched.map(Touched::coreBytes).orElse(0L);
    }

    /**
     * Takes the next event of the trace.
     *
     * @param time of the event, in nanoseconds since the start of the trace
     */
    public void take(long time, TraceEvent event) {
        counters.events++;
        Call call = event.call();
        if (event.failed()) {
            counters.failed++;
        } else if (call.reads()) {
            move(time, event, LocalIo.Kind.READ);
        } else if (call.writes()) {
            move(time, event, LocalIo.Kind.WRITE);
        } else if (call == Call.RENAME) {
            rename(event);
        } else if (call == Call.DELETE || call == Call.BULK_DELETE) {
            delete(time, event.path());
        } else if (call == Call.UNKNOWN) {
            counters.unknown++;
        } else if (call == Call.TRUNCATE
                || call == Call.CONCAT
                || call == Call.HARD_LINK
                || call == Call.CREATE_SYMLINK) {
            counters.unmodelled++;
        }
    }

    private void move(long time, TraceEvent event, LocalIo.Kind kind) {
        long bytes = event.bytes();
        if (bytes == 0) {
            return;
        }
        if (event.offset() < 0 || event.path().isEmpty()) {
            counters.placeless++;
            return;
        }
        int machine = machine(event.origin());
        HdfsFile file = files.get(event.path());
        if (file == null) {
            file = new HdfsFile(machine, Causes.isLog(event.path()));
            files.put(event.path(), file);
        }
        Cause cause = file.log ? Cause.LOG : causes.ofThread(event.thread());
        boolean write = kind == LocalIo.Kind.WRITE;
        if (observes(machine)) {
            (write ? counters.writes : counters.reads)[cause.index()] += bytes;
        }
        boolean bypass = bypasses(cause);
        // A write goes to all replicas. A read goes to the reader's own, unless each replica does the work itself.
        int replicas = write || bypass ? config.replicas() : 1;
        for (int replica = 0; replica < replicas; replica++) {
            int at = (int) ((file.owner + (long) replica) % config.nodes());
            if (!observes(at)) {
                continue;
            }
            boolean hinted = write && replica == 0 && hinted(cause, event.thread());
            local(time, file, replica, node(at), kind, event.offset(), bytes, cause, hinted);
            if (write && replica > 0 && !bypass) {
                node(at).received(bytes);
                counters.network += bytes;
            }
        }
    }

    /** Returns whether the machines with replicas do this work themselves, instead of receiving its result. */
    private boolean bypasses(Cause cause) {
        return switch (config.architecture()) {
            case MID_REPLICATED -> false;
            case MID_BYPASS -> cause == Cause.COMPACTION;
            case TOP_REPLICATED -> cause == Cause.COMPACTION || cause == Cause.FLUSH;
        };
    }

    private boolean hinted(Cause cause, String thread) {
        return cause == Cause.FLUSH || (cause == Cause.COMPACTION && causes.isShortCompaction(thread));
    }

    /** Cuts a range of a file at the borders of blocks. */
    private void local(
            long time,
            HdfsFile file,
            int replica,
            DataNode node,
            LocalIo.Kind kind,
            long offset,
            long bytes,
            Cause cause,
            boolean hinted) {
        long left = bytes;
        long from = offset;
        while (left > 0) {
            long block = from / config.blockBytes();
            long within = from % config.blockBytes();
            long part = Math.min(left, config.blockBytes() - within);
            int at = Math.toIntExact(block * config.replicas() + replica);
            int number = file.local(at);
            if (number == HdfsFile.NONE) {
                number = newLocal();
                file.place(at, number);
            }
            file.reaches(at, within + part);
            if (touched.isPresent()) {
                touched.get().add(number, within, part, cause == Cause.USER_READ || cause == Cause.FLUSH);
            }
            io.set(kind, time, number, within, part, cause);
            io.hinted = hinted;
            node.submit(io);
            from += part;
            left -= part;
        }
        if (kind == LocalIo.Kind.WRITE) {
            counters.localWrites += bytes;
        } else {
            counters.localReads += bytes;
        }
    }

    private void rename(TraceEvent event) {
        if (event.result() == 0 || event.target().isEmpty()) {
            return;
        }
        HdfsFile file = files.remove(event.path());
        if (file != null) {
            files.put(event.target(), file);
            return;
        }
        // The path may be a directory, whose files move. Such renames are rare, so a scan will do.
        String prefix = event.path() + "/";
        List<String> below = files.keySet().stream()
                .filter(p -> p.startsWith(prefix))
                .sorted()
                .toList();
        for (String path : below) {
            HdfsFile moved = files.remove(path);
            if (moved != null) {
                files.put(event.target() + "/" + path.substring(prefix.length()), moved);
            }
        }
    }

    private void delete(long time, String path) {
        HdfsFile file = files.remove(path);
        if (file != null) {
            delete(time, file);
            return;
        }
        String prefix = path + "/";
        for (String below : files.keySet().stream()
                .filter(p -> p.startsWith(prefix))
                .sorted()
                .toList()) {
            HdfsFile removed = files.remove(below);
            if (removed != null) {
                delete(time, removed);
            }
        }
    }

    private void delete(long time, HdfsFile file) {
        for (int at = 0; at < file.places(); at++) {
            int number = file.local(at);
            if (number != HdfsFile.NONE) {
                int replica = at % config.replicas();
                io.set(LocalIo.Kind.DELETE, time, number, 0, file.end(at), Cause.OTHER);
                node((int) ((file.owner + (long) replica) % config.nodes())).submit(io);
                touched.ifPresent(t -> t.forget(number));
                freeLocal(number);
            }
        }
    }

    private int newLocal() {
        return freeCount > 0 ? freeLocals[--freeCount] : locals++;
    }

    private void freeLocal(int number) {
        if (freeCount == freeLocals.length) {
            freeLocals = Arrays.copyOf(freeLocals, freeLocals.length * 2 + 64);
        }
        freeLocals[freeCount++] = number;
    }

    private boolean observes(int machine) {
        return config.observed() == HdfsOptions.ALL || config.observed() == machine;
    }

    private DataNode node(int machine) {
        return config.observed() == HdfsOptions.ALL ? nodes[machine] : nodes[0];
    }

    /** Returns a machine's number: first the named machines, then the others as they appear. */
    @SuppressWarnings("ReferenceEquality") // a shortcut: other objects are compared by value
    private int machine(TraceOrigin origin) {
        for (int i = 0; i < seen; i++) {
            if (origins[i] == origin) {
                return originMachines[i];
            }
        }
        return newOrigin(origin);
    }

    private int newOrigin(TraceOrigin origin) {
        int machine = machines.indexOf(origin.host());
        if (machine < 0) {
            machine = machines.size();
            if (machine >= config.nodes()) {
                throw new IllegalArgumentException("hdfs.nodes: the trace has more machines than %d; one more is '%s'"
                        .formatted(config.nodes(), origin.host()));
            }
            machines.add(origin.host());
        }
        // Readers share one object for each process, so identity finds it. With another reader this only costs time.
        if (seen < origins.length) {
            origins[seen] = origin;
            originMachines[seen] = machine;
            seen++;
        }
        return machine;
    }
}
