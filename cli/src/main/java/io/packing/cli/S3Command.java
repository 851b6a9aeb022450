// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import com.google.common.net.HostAndPort;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.packing.registry.web.HttpFront;
import io.packing.s3gateway.RemoteUserMounts;
import io.packing.s3gateway.S3GatewayOptions;
import io.packing.s3gateway.S3GatewayServer;
import io.packing.s3gateway.auth.AccessKeys;
import io.packing.status.FatalErrors;
import io.packing.status.OpenFiles;
import io.packing.status.StatusServer;
import io.packing.store.ObjectStores;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.Writers;
import io.packing.worker.read.ReadMetrics;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs an S3 gateway until SIGTERM. */
@Command(
        name = "s3",
        description = {
            "Runs a gateway until SIGTERM that shows the directories of a mount as buckets of Amazon S3.",
            "All that it knows is in the mount: any number of gateways may serve one. Prints its address when it serves; logs to a"
                    + " file."
        })
final class S3Command implements Callable<Integer> {
    /** The variable with the keystore's password: every user of the machine sees a command line. */
    static final String PASSWORD_VARIABLE = "PACKING_S3_KEYSTORE_PASSWORD";

    @Option(
            names = DaemonFile.FLAG,
            paramLabel = "FILE",
            description =
                    "A file with options and arguments, in HOCON; what stands on the command line goes before it.")
    @SuppressWarnings("UnusedVariable") // The file was read before the command line was parsed.
    private Optional<Path> config = Optional.empty();

    @Mixin
    private DaemonMount target = new DaemonMount();

    @Parameters(
            paramLabel = MastersArgument.MOUNT_LABEL,
            arity = "0..1",
            converter = Values.Mount.class,
            description = "The directory whose directories are buckets, as " + MountUri.FORM + " (default: "
                    + Contexts.MOUNT_VARIABLE + ", or the current context).")
    private Optional<String> place = Optional.empty();

    @Option(
            names = "--bind",
            paramLabel = "HOST:PORT",
            converter = BindAddress.class,
            defaultValue = "127.0.0.1:9000",
            description = "Where to listen (default: ${DEFAULT-VALUE}); port 0 chooses one.")
    private String bind = "";

    @Option(
            names = "--keys",
            paramLabel = "FILE",
            required = true,
            description =
                    "Lines ACCESS_KEY SECRET USER: requests signed by a key have the rights of its user. Read again when it changes.")
    private Path keys = Path.of("");

    @Option(
            names = "--domain",
            paramLabel = "NAME",
            description = "Takes BUCKET.NAME in the header Host for the bucket, beside paths /BUCKET/KEY.")
    private @Nullable String domain;

    @Option(
            names = "--tls-keystore",
            paramLabel = "FILE",
            description = "A PKCS#12 file with key and certificate, whose password is in " + PASSWORD_VARIABLE
                    + "; without it the gateway speaks plain HTTP. Read again when it changes.")
    private @Nullable Path keystore;

    @Option(
            names = "--metrics-port",
            paramLabel = "PORT",
            converter = Values.Port.class,
            description = "Serves /metrics for Prometheus, and /healthz; port 0 chooses one.")
    private @Nullable Integer metricsPort;

    @Mixin
    private Report report = new Report();

    /** The started gateway, as a script reads it. */
    record Started(String uri, String mount, int metricsPort) {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        HostAndPort listening = BindAddress.parse(bind);
        String host = listening.getHost();
        AccessKeys access = new AccessKeys(keys);
        target.mount(place);
        S3GatewayOptions options =
                new S3GatewayOptions(host, listening.getPort(), target.base(), Optional.ofNullable(domain), tls());
        String text = target.text();
        OpenFiles.check("the gateway", LoggerFactory.getLogger(S3Command.class)::warn);
        FatalErrors.install("the gateway", LoggerFactory.getLogger(S3Command.class)::error);
        PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        MountOptions mount = MountOptions.from(target.rawOptions());
        warnIfOpen(host, mount);
        ReadMetrics reads = new ReadMetrics(meters, mount.store().location().text());
        RandomGenerator random = () -> ThreadLocalRandom.current().nextLong();
        CountDownLatch stopped = new CountDownLatch(1);
        try (RemoteUserMounts mounts = RemoteUserMounts.open(
                target.masters(),
                mount,
                store -> ObjectStores.open(store, reads),
                Writers.preferHost(InetAddress.getLocalHost().getHostName()),
                Clock.systemUTC())) {
            S3GatewayServer server =
                    S3GatewayServer.start(options, access, mounts, meters, Clock.systemUTC(), random, System::nanoTime);
            // A hook, because SIGTERM ends the JVM without leaving this block.
            Runtime.getRuntime().addShutdownHook(new Thread(() -> close(server), "stop-s3"));
            Optional<StatusServer> status = metricsPort == null
                    ? Optional.empty()
                    : Optional.of(StatusServer.start(
                            host, metricsPort, meters::scrape, mounts::problem, List::of, Optional.empty()));
            Started started = new Started(
                    server.uri().toString(),
                    text,
                    status.map(StatusServer::port).orElse(-1));
            report.print(started, out -> {
                out.println("S3 gateway of %s at %s".formatted(started.mount(), started.uri()));
                if (started.metricsPort() >= 0) {
                    out.println("metrics at http://%s:%d/metrics".formatted(host, started.metricsPort()));
                }
            });
            stopped.await();
        }
        return ExitCodes.OK;
    }

    private Optional<HttpFront.Keys> tls() {
        if (keystore == null) {
            return Optional.empty();
        }
        String password = System.getenv().getOrDefault(PASSWORD_VARIABLE, "");
        if (password.isEmpty()) {
            throw new IllegalArgumentException("--tls-keystore: %s has no password".formatted(PASSWORD_VARIABLE));
        }
        return Optional.of(new HttpFront.Keys(keystore, password));
    }

    /** Warns of a master that checks no rights: each access key reads and writes all. */
    private void warnIfOpen(String host, MountOptions mount) throws IOException {
        if (mount.security().tls().isEmpty() && !InetAddress.getByName(host).isLoopbackAddress()) {
            String warning =
                    "the master has no TLS and checks no rights: each access key may read and delete all of the mount";
            LoggerFactory.getLogger(S3Command.class).warn(warning);
            target.tell("warning: " + warning);
        }
    }

    private static void close(S3GatewayServer server) {
        try {
            server.close();
        } catch (IOException e) {
            System.err.println("packing: the gateway did not stop cleanly: " + e.getMessage());
        }
    }
}
