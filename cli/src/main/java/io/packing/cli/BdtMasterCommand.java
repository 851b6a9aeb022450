// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import com.google.common.net.HostAndPort;
import io.packing.bdt.master.AllowedStores;
import io.packing.bdt.master.BdtMaster;
import io.packing.bdt.master.BdtMasterOptions;
import io.packing.bdt.master.MasterGroupOptions;
import io.packing.bdt.master.MasterSite;
import io.packing.bdt.master.Stores;
import io.packing.bdt.raft.RaftMember;
import io.packing.status.FatalErrors;
import io.packing.status.OpenFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs a BDT master until SIGTERM. */
@Command(
        name = "bdt-master",
        description = "Runs a BDT master until SIGTERM. Prints its address when it serves; logs to a file.")
final class BdtMasterCommand implements Callable<Integer>, DaemonFileWatch.Reloadable {
    @Option(
            names = DaemonFile.FLAG,
            paramLabel = "FILE",
            description =
                    "A file with options and arguments, in HOCON; what stands on the command line goes before it.")
    @SuppressWarnings("UnusedVariable") // The file was read before the command line was parsed.
    private Optional<Path> config = Optional.empty();

    @Option(names = "--data-dir", paramLabel = "DIR", description = "Same as --option bdt.data.dir=DIR.")
    private @Nullable Path dataDir;

    @Option(
            names = "--bind",
            paramLabel = "HOST:PORT",
            converter = BindAddress.class,
            description = "Same as --option bdt.bind.host=HOST and bdt.port=PORT; port 0 chooses one.")
    private @Nullable String bind;

    @Option(
            names = "--store",
            paramLabel = "STORE",
            description = "A store that mounts may name; all others are refused: s3://bucket/prefix for AWS,"
                    + " s3://bucket/prefix@https://host:9000 for another S3 server, gs://bucket/prefix, abfs://container@account/prefix, or file:///dir. May be repeated;"
                    + " added to --option bdt.stores=STORE,STORE.")
    private List<String> stores = new ArrayList<>();

    @Option(
            names = "--take-over",
            description =
                    "The masters that held these mounts are gone for good: do not wait until their leases have ended. Same "
                            + "as --option bdt.take.over=true.")
    private boolean takeOver;

    @Option(
            names = "--peers",
            paramLabel = "ID=HOST:PORT,...",
            description =
                    "The masters of a group, this one among them, and where they speak Raft with each other. Same as"
                            + " --option bdt.raft.peers=ID=HOST:PORT,...")
    private @Nullable String peers;

    @Option(
            names = "--id",
            paramLabel = "ID",
            description = "Which of --peers this master is. Same as --option bdt.raft.id=ID.")
    private @Nullable String id;

    @Option(
            names = "--raft-bind",
            paramLabel = "HOST:PORT",
            description =
                    "The address to listen at for Raft; without it, this master's address in --peers. Same as --option"
                            + " bdt.raft.bind=HOST:PORT.")
    private @Nullable String raftBind;

    @Option(
            names = "--join",
            description = "The group is there already, and this master becomes one of it. Same as --option"
                    + " bdt.raft.join=true.")
    private boolean join;

    @Option(
            names = "--option",
            paramLabel = "KEY=VALUE",
            description = "An option of the master, such as bdt.metrics.port=19991. May be repeated.")
    private Map<String, String> options = new LinkedHashMap<>();

    @Mixin
    private Report report = new Report();

    private volatile Optional<BdtMaster> running = Optional.empty();

    /** The started master, as a script reads it. */
    record Started(String address, int metricsPort) {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        BdtMasterOptions config = BdtMasterOptions.from(raw());
        Optional<MasterGroupOptions> group = MasterGroupOptions.from(raw());
        Daemon.BDT_MASTER.warnings(raw()).forEach(warning -> report.err().println("packing: warning: " + warning));
        config.access().kerberos().rememberLogins(config.dataDir());
        OpenFiles.check("the BDT master", LoggerFactory.getLogger(BdtMasterCommand.class)::warn);
        FatalErrors.install("the BDT master", LoggerFactory.getLogger(BdtMasterCommand.class)::error);
        try (BdtMaster master = group.isPresent() ? Members.start(config, group.get()) : BdtMaster.start(config)) {
            // A hook, because SIGTERM ends the JVM without leaving this block.
            Thread hook = new Thread(() -> stop(master), "stop-bdt-master");
            Runtime.getRuntime().addShutdownHook(hook);
            master.serve();
            running = Optional.of(master);
            Started started = new Started(config.bindHost() + ":" + master.port(), master.metricsPort());
            report.print(started, out -> {
                out.println("BDT master at " + started.address());
                if (started.metricsPort() >= 0) {
                    out.println("metrics at http://%s:%d/metrics".formatted(config.bindHost(), started.metricsPort()));
                }
            });
            master.awaitTermination();
        }
        return ExitCodes.OK;
    }

    @Override
    public boolean reload(String key, Optional<String> value) {
        Optional<BdtMaster> master = running;
        if (master.isEmpty() || !Daemon.BDT_MASTER.takesRunning(key)) {
            return false;
        }
        value.ifPresentOrElse(text -> options.put(key, text), () -> options.remove(key));
        master.get().take(BdtMasterOptions.from(raw()));
        return true;
    }

    private static void stop(BdtMaster master) {
        master.close();
        master.left().forEach(left -> System.err.println("packing: " + left));
    }

    /** A class of its own, so that a master that is alone loads nothing of Raft. */
    private static final class Members {
        private static BdtMaster start(BdtMasterOptions config, MasterGroupOptions group) throws IOException {
            AtomicReference<AllowedStores> allowed = new AtomicReference<>(config.stores());
            Stores stores = Stores.standard(allowed::get, config.access());
            RaftMember member = RaftMember.start(config, group, stores, RaftMember.Tuning.USUAL, System::nanoTime);
            try {
                return BdtMaster.start(config, MasterSite.ofMember(allowed, stores, member));
            } catch (IOException | RuntimeException e) {
                member.close();
                throw e;
            }
        }
    }

    private Map<String, String> raw() {
        Map<String, String> raw = new LinkedHashMap<>(options);
        if (dataDir != null) {
            raw.put(BdtMasterOptions.DATA_DIR.key(), dataDir.toString());
        }
        if (peers != null) {
            raw.put(MasterGroupOptions.PEERS.key(), peers);
        }
        if (id != null) {
            raw.put(MasterGroupOptions.ID.key(), id);
        }
        if (raftBind != null) {
            raw.put(MasterGroupOptions.BIND.key(), raftBind);
        }
        if (join) {
            raw.put(MasterGroupOptions.JOIN.key(), "true");
        }
        if (takeOver) {
            raw.put(BdtMasterOptions.TAKE_OVER.key(), "true");
        }
        if (!stores.isEmpty()) {
            List<String> all = new ArrayList<>(stores);
            if (!options.getOrDefault(BdtMasterOptions.STORES.key(), "").isBlank()) {
                all.add(options.get(BdtMasterOptions.STORES.key()));
            }
            raw.put(BdtMasterOptions.STORES.key(), String.join(",", all));
        }
        if (bind != null) {
            HostAndPort address = BindAddress.parse(bind);
            raw.put(BdtMasterOptions.BIND_HOST.key(), address.getHost());
            raw.put(BdtMasterOptions.PORT.key(), String.valueOf(address.getPort()));
        }
        return raw;
    }
}
