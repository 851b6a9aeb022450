// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.net.HostAndPort;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.packing.blob.FilePath;
import io.packing.cli.operate.RegistryPage;
import io.packing.layers.OpenRegistry;
import io.packing.layers.root.PushedTrees;
import io.packing.options.Parsers;
import io.packing.registry.ImageTrees;
import io.packing.registry.RegistryOptions;
import io.packing.registry.RegistryServer;
import io.packing.registry.RegistryUpkeep;
import io.packing.registry.access.Access;
import io.packing.registry.dedup.DedupLimits;
import io.packing.registry.dedup.LayerForm;
import io.packing.registry.files.ReadAhead;
import io.packing.registry.gc.GcOptions;
import io.packing.registry.gc.GcReport;
import io.packing.registry.nodes.NodeOptions;
import io.packing.registry.translate.ImageTranslator;
import io.packing.status.FatalErrors;
import io.packing.status.OpenFiles;
import io.packing.status.StatusServer;
import io.packing.status.page.StatusPage;
import io.packing.worker.api.PackingFileSystem;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs an OCI registry until SIGTERM. */
@Command(
        name = "registry",
        description = {
            "Runs an OCI registry over a packing mount until SIGTERM.",
            "All that it knows is in the mount: any number of registries may serve one store. "
                    + "Prints its address when it serves; logs to a file."
        })
final class RegistryCommand implements Callable<Integer> {
    @Option(
            names = DaemonFile.FLAG,
            paramLabel = "FILE",
            description =
                    "A file with options and arguments, in HOCON; what stands on the command line goes before it.")
    @SuppressWarnings("UnusedVariable") // The file was read before the command line was parsed.
    private Optional<Path> config = Optional.empty();

    @Mixin
    private RegistryTarget target = new RegistryTarget();

    @Parameters(
            paramLabel = MastersArgument.MOUNT_LABEL,
            arity = "0..1",
            converter = Values.Mount.class,
            description = RegistryTarget.PLACE)
    private Optional<String> place = Optional.empty();

    @Command(
            name = "gc",
            description = {
                "Removes what no tag of a registry reaches: manifests, blobs, files of layers, idle uploads.",
                "Registries may serve meanwhile. Bytes of blobs in the object store are freed by the mount's own"
                        + " collection."
            })
    int gc(
            @Mixin RegistryTarget store,
            @Option(names = "--dry-run", description = "Only count what would be removed.") boolean dryRun,
            @Option(
                            names = "--grace",
                            paramLabel = "DURATION",
                            defaultValue = "24h",
                            description = "What is younger stays, such as 90m (default: ${DEFAULT-VALUE}).")
                    String grace,
            @Option(
                            names = "--drop-originals",
                            paramLabel = "tar|zstd",
                            converter = Values.Form.class,
                            description =
                                    "Makes tags older than --grace name the translation to this form. What was pushed is garbage then, and "
                                            + "can no longer be pulled by its digest.")
                    @Nullable
                    LayerForm dropOriginals,
            @Parameters(paramLabel = MastersArgument.MOUNT_LABEL, arity = "0..1", description = RegistryTarget.PLACE)
                    Optional<String> place,
            @Mixin Report printed)
            throws IOException {
        store.at(place);
        try (RegistryTarget.Opened opened = store.open();
                RegistryUpkeep upkeep = new RegistryUpkeep(opened.files(), opened.base())) {
            GcReport report = upkeep.collect(
                    Clock.systemUTC()::millis,
                    new GcOptions(Parsers.duration(grace), dryRun, Optional.ofNullable(dropOriginals)));
            printed.print(report, out -> {
                out.printf("%s%n", dryRun ? "would be removed:" : "removed:");
                out.printf(
                        "%,18d manifests%n%,18d links of repositories to blobs%n", report.manifests(), report.links());
                out.printf("%,18d blobs, %,d bytes of them whole%n", report.blobs(), report.blobBytes());
                out.printf("%,18d files of layers, %,d bytes%n", report.files(), report.fileBytes());
                out.printf("%,18d uploads%n%,18d scratch files%n", report.uploads(), report.scratch());
                if (dropOriginals != null) {
                    out.printf(
                            "%,18d tags %s the translation%n", report.retagged(), dryRun ? "would name" : "now name");
                }
            });
            return ExitCodes.OK;
        }
    }

    @Command(
            name = "dedup",
            description = {
                "Splits layers that no registry has split yet, and counts the blobs of each case.",
                "A registry does so behind each push, and once an hour."
            })
    int dedup(
            @Mixin RegistryTarget store,
            @Option(names = "--rebuild-gzip", description = "As at the registry.") boolean gzip,
            @Parameters(paramLabel = MastersArgument.MOUNT_LABEL, arity = "0..1", description = RegistryTarget.PLACE)
                    Optional<String> place,
            @Mixin Report printed)
            throws IOException {
        store.at(place);
        try (RegistryTarget.Opened opened = store.open();
                RegistryUpkeep upkeep = new RegistryUpkeep(opened.files(), opened.base())) {
            Map<String, Long> cases = new TreeMap<>();
            upkeep.dedup(new DedupLimits(DedupLimits.DEFAULT.bytes(), gzip))
                    .forEach((found, count) -> cases.put(found.text(), count));
            printed.print(cases, out -> cases.forEach((found, count) -> out.printf("%,18d %s%n", count, found)));
            return ExitCodes.OK;
        }
    }

    @Command(
            name = "translate",
            description = {
                "Makes another form of images with compressed layers that were pushed before, and counts the manifests of each case.",
                "A registry with --translate does so behind each push, and once an hour."
            })
    int translate(
            @Mixin RegistryTarget store,
            @Option(
                            names = "--to",
                            paramLabel = "tar|zstd",
                            converter = Values.Form.class,
                            required = true,
                            description = "As --translate at the registry.")
                    LayerForm form,
            @Parameters(paramLabel = MastersArgument.MOUNT_LABEL, arity = "0..1", description = RegistryTarget.PLACE)
                    Optional<String> place,
            @Mixin Report printed)
            throws IOException {
        store.at(place);
        try (RegistryTarget.Opened opened = store.open();
                RegistryUpkeep upkeep = new RegistryUpkeep(opened.files(), opened.base())) {
            Map<ImageTranslator.Result, Long> all = upkeep.translate(form);
            Map<String, Long> results = new TreeMap<>();
            all.forEach((result, count) -> results.put(result.name().toLowerCase(Locale.ROOT), count));
            printed.print(results, out -> results.forEach((found, count) -> out.printf("%,18d %s%n", count, found)));
            return all.containsKey(ImageTranslator.Result.FAILED) ? ExitCodes.FAILED : ExitCodes.OK;
        }
    }

    @Command(
            name = "mend",
            description = {
                "Gives every blob its replicas at the nodes of a registry again, and moves blobs to them that are "
                        + "still in the mount.",
                "The nodes do so every five minutes, when none of them is silent for less than ten."
            })
    int mend(
            @Option(
                            names = "--uri",
                            paramLabel = "URI",
                            required = true,
                            description = "A node, which does the work: http://HOST:PORT.")
                    URI node,
            @Option(names = "--node-key", paramLabel = "FILE", description = "As at the nodes.") @Nullable Path key,
            @Option(
                            names = "--scrub",
                            description = "First has all nodes hash all that they have, and delete what is wrong.")
                    boolean scrub,
            @Option(
                            names = "--garbage",
                            paramLabel = "DURATION",
                            description =
                                    "Then delete contents from all nodes that no blob has and no client asked for in this time, such as "
                                            + "24h. Run registry gc before.")
                    @Nullable
                    String garbage,
            @Mixin Report printed)
            throws IOException {
        JsonNode report = NodeCalls.mend(
                node,
                NodeRegistry.secret(Optional.ofNullable(key)),
                scrub,
                Optional.ofNullable(garbage).map(Parsers::duration));
        printed.print(report, out -> {
            out.printf(
                    "%,18d blobs%n%,18d whole replicas made%n",
                    report.path("blobs").asLong(), report.path("whole_copies").asLong());
            out.printf(
                    "%,18d whole replicas deleted%n",
                    report.path("whole_deleted").asLong());
            out.printf("%,18d files got replicas%n", report.path("files").asLong());
            out.printf(
                    "%,18d layers and files deleted%n", report.path("garbage").asLong());
            out.printf("%,18d blobs lack replicas%n", report.path("failed").asLong());
            report.path("silent").forEach(name -> out.printf("node %s does not answer%n", name.asText()));
        });
        return report.path("failed").asLong() == 0 ? ExitCodes.OK : ExitCodes.FAILED;
    }

    @Option(
            names = "--bind",
            paramLabel = "HOST:PORT",
            converter = BindAddress.class,
            defaultValue = "127.0.0.1:5000",
            description = "Where to listen (default: ${DEFAULT-VALUE}); port 0 chooses one.")
    private String bind = "";

    @Mixin
    private RegistryAccessOptions access = new RegistryAccessOptions();

    @Option(names = "--read-only", description = "Refuse every push and deletion.")
    private boolean readOnly;

    @Option(names = "--no-dedup", description = "Keep layers as they are pushed.")
    private boolean noDedup;

    @Option(
            names = "--no-trees",
            description =
                    "Make the tree of a pushed image when a container of it is first started, and not behind its push.")
    private boolean noTrees;

    @Option(
            names = "--rebuild-gzip",
            description = "Split gzipped layers too, when this Java runtime's zlib makes them again to the byte; every"
                    + " registry of the store then needs that zlib.")
    private boolean rebuildGzip;

    @Option(
            names = "--translate",
            paramLabel = "tar|zstd",
            converter = Values.Form.class,
            description =
                    "Makes another form of images with compressed layers behind each push, and gives it to clients that "
                            + "pull by tag: plain tars, or each file compressed by zstd, stored once.")
    private @Nullable LayerForm translate;

    @Option(
            names = "--read-ahead",
            paramLabel = "SIZE",
            converter = ByteOffset.class,
            description =
                    "Memory of all pulls together for reading ahead (default: a quarter of the heap); 0: one piece after "
                            + "the other.")
    private @Nullable Long readAhead;

    @Mixin
    private RegistryCache cache = new RegistryCache();

    @Mixin
    private NodeRegistry nodes = new NodeRegistry();

    @Option(
            names = "--metrics-port",
            paramLabel = "PORT",
            converter = Values.Port.class,
            description = "Serves a page for people, /metrics for Prometheus, and /healthz; port 0 chooses one.")
    private @Nullable Integer metricsPort;

    @Mixin
    private Report report = new Report();

    /** The started registry, as a script reads it. */
    record Started(String uri, String store, int metricsPort) {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        HostAndPort listening = BindAddress.parse(bind);
        String host = listening.getHost();
        Access who = access.access();
        Optional<NodeOptions> node = nodes.config();
        target.at(place);
        String store = target.text();
        warnIfOpen(host, who);
        OpenFiles.check("the registry", LoggerFactory.getLogger(RegistryCommand.class)::warn);
        FatalErrors.install("the registry", LoggerFactory.getLogger(RegistryCommand.class)::error);
        CountDownLatch stopped = new CountDownLatch(1);
        PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        RegistryTarget.Opened opened = target.open(meters);
        try (opened;
                OpenRegistry layers = new OpenRegistry(opened.files(), opened.base())) {
            RegistryOptions config = RegistryOptions.local(opened.base())
                    .withAddress(host, listening.getPort())
                    .withReadOnly(readOnly)
                    .withDedup(
                            noDedup
                                    ? Optional.empty()
                                    : Optional.of(new DedupLimits(DedupLimits.DEFAULT.bytes(), rebuildGzip)))
                    .withTranslation(Optional.ofNullable(translate))
                    .withReadAhead(readAhead == null ? ReadAhead.defaultBytes() : readAhead)
                    .withCache(cache.config())
                    .withNode(node)
                    .withTls(access.keys(System.getenv()));
            // Trees are of files in the mount.
            Optional<ImageTrees> trees =
                    noTrees || node.isPresent() ? Optional.empty() : Optional.of(new PushedTrees(layers));
            RegistryServer server = RegistryServer.start(config, opened.files(), trees, who, meters);
            // A hook, because SIGTERM ends the JVM without leaving this block.
            Runtime.getRuntime().addShutdownHook(new Thread(() -> close(server), "stop-registry"));
            RegistryPage page = new RegistryPage(server.uri().toString(), store, meters, () -> problem(opened.mount()));
            Optional<StatusServer> status = metricsPort == null
                    ? Optional.empty()
                    : Optional.of(StatusServer.start(
                            host,
                            metricsPort,
                            meters::scrape,
                            page.problem(),
                            List::of,
                            Optional.of(new StatusPage(page::report, Clock.systemUTC(), System::nanoTime))));
            Started started = new Started(
                    server.uri().toString(),
                    store,
                    status.map(StatusServer::port).orElse(-1));
            report.print(started, out -> {
                out.println("registry of %s at %s".formatted(started.store(), started.uri()));
                if (started.metricsPort() >= 0) {
                    out.println("metrics at http://%s:%d/metrics".formatted(host, started.metricsPort()));
                }
            });
            stopped.await();
        }
        return ExitCodes.OK;
    }

    private void warnIfOpen(String host, Access who) throws IOException {
        if (who.isOpen() && !InetAddress.getByName(host).isLoopbackAddress()) {
            String warning = "everybody who reaches %s may push and delete; --users and --tls-keystore protect it"
                    .formatted(bind);
            LoggerFactory.getLogger(RegistryCommand.class).warn(warning);
            report.err().println("packing: warning: " + warning);
            report.err().flush();
        }
    }

    private static Optional<String> problem(PackingFileSystem mount) {
        try {
            return mount.bdt().stat(FilePath.ROOT).isPresent()
                    ? Optional.empty()
                    : Optional.of("the mount has no root");
        } catch (IOException e) {
            return Optional.of("the mount does not answer: " + e.getMessage());
        }
    }

    private static void close(RegistryServer server) {
        try {
            server.close();
        } catch (IOException e) {
            System.err.println("packing: the registry did not stop cleanly: " + e.getMessage());
        }
    }
}
