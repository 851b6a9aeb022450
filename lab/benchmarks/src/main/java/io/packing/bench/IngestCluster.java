package io.packing.bench;

import io.packing.bdt.client.GrpcBdts;
import io.packing.store.ObjectStores;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.Writers;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A master and a worker in processes of their own, and clients of theirs in this one, which take turns with other clusters. */
final class IngestCluster implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final List<AutoCloseable> open = new ArrayList<>();
    private final String mount;
    private final ChildProcess master;
    private final ChildProcess worker;
    private long turns;

    /**
     * Starts it below a directory.
     *
     * @param ofMaster options such as {@code bdt.KEY=VALUE}
     * @param ofWorker options such as {@code packing.KEY=VALUE}
     */
    IngestCluster(Path home, List<String> ofMaster, List<String> ofWorker) throws IOException {
        Path store = Files.createDirectories(home.resolve("store"));
        mount = "packing.store=" + store.toUri();
        List<String> masterArguments =
                new ArrayList<>(List.of("master", home.resolve("master").toString(), store.toString()));
        masterArguments.addAll(ofMaster);
        master = keep(ChildProcess.start(EngineIngest.class, masterArguments));
        List<String> workerArguments = new ArrayList<>(
                List.of("worker", master.ready(), home.resolve("worker").toString(), mount));
        workerArguments.addAll(ofWorker);
        worker = keep(ChildProcess.start(EngineIngest.class, workerArguments));
    }

    private MountOptions options(List<String> options) {
        Map<String, String> raw = new LinkedHashMap<>();
        List<String> all = new ArrayList<>(options);
        all.add(mount);
        all.forEach(
                option -> raw.put(option.substring(0, option.indexOf('=')), option.substring(option.indexOf('=') + 1)));
        return MountOptions.from(raw);
    }

    /** A connection to the master, which the caller closes. */
    GrpcBdts connect(List<String> options) {
        return GrpcBdts.connect(master.ready(), TIMEOUT, options(options).security());
    }

    /** A client that is closed with the cluster. */
    RemotePackingFileSystem client(List<String> options) throws IOException {
        MountOptions mountOptions = options(options);
        return keep(RemotePackingFileSystem.open(
                keep(connect(options)),
                mountOptions,
                ObjectStores.open(mountOptions.store()),
                Writers.at(worker.ready())));
    }

    /** Processor time of master, worker and this process since they started. */
    double cpuSeconds() throws IOException {
        return master.cpuSeconds()
                + worker.cpuSeconds()
                + ChildProcess.cpuSeconds(ProcessHandle.current().pid());
    }

    /** A number for each turn. */
    long nextTurn() {
        return turns++;
    }

    private <T extends AutoCloseable> T keep(T opened) {
        open.add(0, opened);
        return opened;
    }

    @Override
    public void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
    }
}
