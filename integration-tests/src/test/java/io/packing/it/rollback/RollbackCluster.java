// SPDX-License-Identifier: Apache-2.0
package io.packing.it.rollback;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.bdt.Bdt;
import io.packing.bdt.BdtStatistics;
import io.packing.bdt.UnavailableException;
import io.packing.bdt.WorkerInUseException;
import io.packing.bdt.client.GrpcBdts;
import io.packing.bdt.master.BdtMaster;
import io.packing.bdt.master.BdtMasterOptions;
import io.packing.bdt.master.MasterInside;
import io.packing.process.Ports;
import io.packing.store.ObjectStores;
import io.packing.worker.PackingWorker;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.WorkerOptions;
import io.packing.worker.api.Writers;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A master and workers in this process, each with a directory of its own, and a client without a buffer. They talk by
 * gRPC at one port, so that each can end and start while the others live.
 */
final class RollbackCluster implements AutoCloseable {
    static final int WORKERS = 2;
    static final String MASTER_LOCK = "lock";
    static final String WORKER_LOCK = "LOCK";

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    static final Duration WORKER_LEASE = Duration.ofSeconds(2);

    /** The tries of an open, for longer than a lease. */
    private static final int MOST_TRIES = 50;

    /** The pauses of a wait for workers: they beat once a second, and look for a master that they do not reach less often. */
    private static final int MOST_PAUSES = 600;

    private final Path home;
    private final int port;
    private final String address;
    private final Map<String, String> mount;
    private final Map<String, String> master;
    private final Map<Integer, OpenWorker> workers = new TreeMap<>();
    private Optional<BdtMaster> running = Optional.empty();
    private Optional<Client> client = Optional.empty();

    private record OpenWorker(PackingWorker worker, WatchedBdts bdts) {
        void close() throws IOException {
            worker.close();
            bdts.close();
        }
    }

    /** A client of the mount. */
    record Client(RemotePackingFileSystem files, GrpcBdts bdts) {
        void close() throws IOException {
            files.close();
            bdts.close();
        }
    }

    RollbackCluster(Path home, Map<String, String> options, String engine) throws IOException {
        this.home = home;
        this.port = Ports.free(1).get(0);
        this.address = "127.0.0.1:" + port;
        String store = Files.createDirectories(store()).toUri().toString();
        this.mount = new HashMap<>(options);
        mount.put("packing.store", store);
        this.master = Map.of(
                "bdt.data.dir",
                master().toString(),
                "bdt.port",
                Integer.toString(port),
                "bdt.stores",
                store,
                "bdt.engine",
                engine,
                "bdt.lease",
                "1s",
                "bdt.worker.lease",
                WORKER_LEASE.toSeconds() + "s");
    }

    Path store() {
        return home.resolve("store");
    }

    Path master() {
        return home.resolve("master");
    }

    Path worker(int i) {
        return home.resolve("w" + i);
    }

    Map<String, String> mount() {
        return mount;
    }

    /** Starts the processes that do not run. */
    void start() throws IOException {
        if (running.isEmpty()) {
            startMaster(false);
        }
        for (int i = 0; i < WORKERS; i++) {
            if (!workers.containsKey(i)) {
                startWorker(i);
            }
        }
    }

    void startMaster(boolean takeOver) throws IOException {
        BdtMaster started = serving(master(), port, takeOver);
        running = Optional.of(started);
        // A master opens a mount at a client's first request, and its stop uploads the tables of open mounts only.
        for (int i = 0; ; i++) {
            try {
                started.open(mount).close();
                return;
            } catch (UnavailableException e) {
                if (i == MOST_TRIES) {
                    throw e;
                }
                RollbackWorld.pause();
            }
        }
    }

    /** Starts a master at a directory and a port; the caller closes it. */
    BdtMaster serving(Path directory, int at, boolean takeOver) throws IOException {
        Map<String, String> options = new HashMap<>(master);
        options.put("bdt.data.dir", directory.toString());
        options.put("bdt.port", Integer.toString(at));
        options.put("bdt.take.over", Boolean.toString(takeOver));
        return BdtMaster.start(BdtMasterOptions.from(options)).serve();
    }

    void startWorker(int i) throws IOException {
        workers.put(i, openWorker(i, worker(i)));
    }

    private OpenWorker openWorker(int i, Path directory) throws IOException {
        WatchedBdts bdts = new WatchedBdts(GrpcBdts.connect(address, TIMEOUT));
        PackingWorker worker = PackingWorker.start(
                new WorkerOptions("w" + i, directory, "127.0.0.1", 0),
                bdts,
                ObjectStores::open,
                Clock.systemUTC(),
                new SimpleMeterRegistry());
        OpenWorker opened = new OpenWorker(worker, bdts);
        try {
            PackingFileSystem unused = worker.open(MountOptions.from(mount));
        } catch (IOException | RuntimeException e) {
            opened.close();
            throw e;
        }
        return opened;
    }

    /**
     * Starts a worker of a live one's id on a copy of its directory, and ends it.
     *
     * @return for how long the live one was silent at most, when the master let the copy in; empty: the master refused it
     */
    Optional<Duration> tryWorker(int i, Path directory) throws IOException {
        OpenWorker copy;
        try {
            copy = openWorker(i, directory);
        } catch (WorkerInUseException e) {
            return Optional.empty();
        }
        OpenWorker live = Objects.requireNonNull(workers.get(i));
        Duration silence = live.bdts().silenceBefore(copy.bdts());
        copy.close();
        return Optional.of(silence);
    }

    /** Lets nothing pass between a worker and the master any more: what the worker does from now on, the master does not hear. */
    void cutWorker(int i) {
        Optional.ofNullable(workers.get(i)).ifPresent(each -> each.bdts().close());
    }

    void stopWorker(int i) throws IOException {
        OpenWorker worker = workers.remove(i);
        if (worker != null) {
            worker.close();
        }
    }

    boolean hasWorker(int i) {
        return workers.containsKey(i);
    }

    void stopMaster() {
        running.ifPresent(BdtMaster::close);
        running = Optional.empty();
    }

    void killMaster() {
        running.ifPresent(each -> new MasterInside(each).kill());
        running = Optional.empty();
    }

    boolean hasMaster() {
        return running.isPresent();
    }

    /** Returns whether the master and all workers run. */
    boolean isWhole() {
        return hasMaster() && workers.size() == WORKERS;
    }

    /** Waits until the master has heard of all workers. */
    void awaitWorkers() throws IOException {
        for (int i = 0; i < MOST_TRIES && bdt().workers().size() < WORKERS; i++) {
            RollbackWorld.pause();
        }
    }

    /** Waits until all workers have told the master which files they buffer, and know what it decided about them. */
    void awaitSettled() throws IOException {
        for (int i = 0; !isSettled(); i++) {
            if (i == MOST_PAUSES) {
                throw new IOException("the workers have not told the master what they buffer");
            }
            RollbackWorld.pause();
        }
    }

    /** Returns whether all workers have told the master which files they buffer, and know what it decided about them. */
    private boolean isSettled() throws IOException {
        Set<String> names = workers.keySet().stream().map(i -> "w" + i).collect(Collectors.toSet());
        return workers.values().stream().allMatch(each -> each.bdts().isSettled()) && inside().hasHeardOf(names);
    }

    MasterInside inside() {
        return new MasterInside(running.orElseThrow());
    }

    /** Returns the mount of a client without a buffer. */
    PackingFileSystem files() throws IOException {
        if (client.isEmpty()) {
            client = Optional.of(openClient(TIMEOUT));
        }
        return client.get().files();
    }

    /** Opens a client that waits so long for the master; the caller closes it. */
    Client openClient(Duration timeout) throws IOException {
        GrpcBdts bdts = GrpcBdts.connect(address, timeout);
        MountOptions options = MountOptions.from(mount);
        int[] turn = new int[1];
        Writers inTurn = (live, broken) -> {
            int first = live.isEmpty() ? 0 : turn[0]++ % live.size();
            return IntStream.range(0, live.size())
                    .mapToObj(at -> live.get((first + at) % live.size()).address())
                    .toList();
        };
        return new Client(
                RemotePackingFileSystem.open(bdts, options, ObjectStores.open(options.store()), inTurn), bdts);
    }

    Bdt bdt() throws IOException {
        return files().bdt();
    }

    /** Returns what the mount counts. */
    String counts() throws IOException {
        BdtStatistics statistics = bdt().statistics();
        return "%d files, %d directories".formatted(statistics.files(), statistics.directories());
    }

    /** Closes the client, which caches the old store and addresses of workers. */
    void dropClient() throws IOException {
        Optional<Client> dropped = client;
        client = Optional.empty();
        if (dropped.isPresent()) {
            dropped.get().close();
        }
    }

    @Override
    public void close() throws IOException {
        dropClient();
        for (int i = 0; i < WORKERS; i++) {
            stopWorker(i);
        }
        killMaster();
    }
}
