// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.bdt.UnavailableException;
import io.packing.bdt.WorkerInfo;
import io.packing.bdt.client.GrpcBdts;
import io.packing.bdt.client.MountName;
import io.packing.status.FatalErrors;
import io.packing.status.OpenFiles;
import io.packing.store.ObjectStores;
import io.packing.store.StoreOptions;
import io.packing.worker.PackingWorker;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.WorkerOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs a packing worker until SIGTERM or the end of a drain. */
@Command(
        name = "worker",
        description = {
            "Runs a packing worker for one mount until SIGTERM, or until packing drain has made it leave.",
            "Files that are not pushed by then stay in its buffer directory for the next start. Prints its id and "
                    + "address when it serves; logs to a file."
        })
final class WorkerCommand implements Callable<Integer>, DaemonFileWatch.Reloadable {
    @Option(
            names = DaemonFile.FLAG,
            paramLabel = "FILE",
            description =
                    "A file with options and arguments, in HOCON; what stands on the command line goes before it.")
    @SuppressWarnings("UnusedVariable") // The file was read before the command line was parsed.
    private Optional<Path> config = Optional.empty();

    @Mixin
    private MastersArgument masters = new MastersArgument();

    @Parameters(
            paramLabel = MastersArgument.MOUNT_LABEL,
            arity = "0..1",
            converter = Values.Mount.class,
            description = MastersArgument.MOUNT)
    private Optional<String> mountUri = Optional.empty();

    @Option(
            names = "--id",
            converter = Values.WorkerId.class,
            required = true,
            description = "The worker's id: unique in the mount, the same at every start; becomes part of blob names.")
    private String id = "";

    @Option(names = "--buffer-dir", paramLabel = "DIR", required = true, description = "Directory of the buffer.")
    private Path bufferDirectory = Path.of("");

    @Option(
            names = "--host",
            defaultValue = "127.0.0.1",
            description = "Host under which other workers reach this one (default: ${DEFAULT-VALUE}).")
    private String host = "";

    @Option(
            names = "--port",
            converter = Values.Port.class,
            defaultValue = "19992",
            description =
                    "Port at which clients and other workers reach this one (default: ${DEFAULT-VALUE}); 0 chooses one.")
    private int port;

    @Option(
            names = "--metrics-port",
            paramLabel = "PORT",
            converter = Values.Port.class,
            description =
                    "Serves a page for people, /metrics for Prometheus, and /healthz; same as --option packing.metrics.port=PORT.")
    private @Nullable Integer metricsPort;

    @Mixin
    private MountTarget mountTarget = new MountTarget();

    @Mixin
    private Report report = new Report();

    private volatile Optional<PackingWorker> running = Optional.empty();

    /** The options that lead to the store, if the master told them. */
    private Map<String, String> store = Map.of();

    /** The started worker, as a script reads it. */
    record Started(String worker, String store, String address, int metricsPort) {}

    @Override
    public Integer call() throws IOException, InterruptedException, ExecutionException {
        masters.mount(mountUri);
        MountOptions toAsk = MountOptions.from(StoreOptions.orUnknownStore(raw()));
        Daemon.WORKER.warnings(raw()).forEach(warning -> report.err().println("packing: warning: " + warning));
        OpenFiles.check("worker " + id, LoggerFactory.getLogger(WorkerCommand.class)::warn);
        FatalErrors.install("worker " + id, LoggerFactory.getLogger(WorkerCommand.class)::error);
        MountName name = masters.name();
        try (GrpcBdts bdts =
                GrpcBdts.connect(name.masters(), toAsk.timeouts().master(), toAsk.security(), this::warnOfMaster)) {
            store = name.complete(bdts, raw());
            MountOptions mountOptions = MountOptions.from(raw());
            PackingWorker worker = PackingWorker.start(
                    new WorkerOptions(id, bufferDirectory, host, port, mountOptions.security()),
                    bdts,
                    ObjectStores::open,
                    Clock.systemUTC(),
                    new SimpleMeterRegistry());
            // A hook, because SIGTERM ends the JVM without leaving this block.
            Runtime.getRuntime().addShutdownHook(new Thread(() -> close(worker), "stop-worker"));
            PackingFileSystem mount = open(worker, mountOptions);
            running = Optional.of(worker);
            Started started =
                    new Started(id, mountOptions.store().location().text(), address(mount), worker.metricsPort());
            report.print(
                    started,
                    out -> out.printf("worker %s of %s at %s%n", started.worker(), started.store(), started.address()));
            // It ends in two ways only: it is killed, or it has left.
            worker.left().get();
            mount.close();
            report.err().println("packing: worker %s was told to leave, and has left".formatted(id));
        }
        return ExitCodes.OK;
    }

    @Override
    public boolean reload(String key, Optional<String> value) {
        Optional<PackingWorker> worker = running;
        if (worker.isEmpty() || !Daemon.WORKER.takesRunning(key)) {
            return false;
        }
        mountTarget.set(key, value);
        worker.get().take(MountOptions.from(raw()));
        return true;
    }

    /** Says on the console that a start waits; a worker that runs says it in its log. */
    private void warnOfMaster(String warning) {
        LoggerFactory.getLogger(WorkerCommand.class).warn(warning);
        if (running.isEmpty()) {
            report.err().println("packing: warning: " + warning);
        }
    }

    /** Opens the mount, or ends the worker that cannot open it. */
    private static PackingFileSystem open(PackingWorker worker, MountOptions options) throws IOException {
        try {
            return worker.open(options);
        } catch (IOException | RuntimeException e) {
            close(worker);
            throw e;
        }
    }

    private Map<String, String> raw() {
        Map<String, String> raw = new LinkedHashMap<>(mountTarget.resolve());
        store.forEach(raw::putIfAbsent);
        if (metricsPort != null) {
            raw.put(MountOptions.METRICS_PORT.key(), metricsPort.toString());
        }
        return raw;
    }

    /** Returns the address at which clients reach this worker, from the master. */
    private String address(PackingFileSystem mount) throws IOException {
        return mount.bdt().workers().stream()
                .filter(worker -> worker.worker().equals(id))
                .map(WorkerInfo::address)
                .findFirst()
                .orElseThrow(() -> new UnavailableException("the BDT master does not list worker " + id));
    }

    private static void close(PackingWorker worker) {
        try {
            worker.close();
        } catch (IOException e) {
            System.err.println("packing: the worker did not stop cleanly: " + e.getMessage());
        }
    }
}
