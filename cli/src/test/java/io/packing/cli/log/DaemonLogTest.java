// SPDX-License-Identifier: Apache-2.0
package io.packing.cli.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.joran.spi.JoranException;
import ch.qos.logback.core.status.Status;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;

/** The form, the levels and the size of a daemon's log. */
@Timeout(60)
class DaemonLogTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path directory;

    private static Properties properties() {
        Properties properties = new Properties();
        properties.setProperty("user.name", "someone");
        properties.setProperty("java.io.tmpdir", "/tmp");
        return properties;
    }

    /** A log as the daemon of an environment has it, without a daemon. */
    private LoggerContext log(Map<String, String> environment, Map<String, String> further) throws JoranException {
        Map<String, String> all = new HashMap<>(environment);
        all.put(DaemonLog.DIRECTORY, directory.toString());
        LoggerContext context = new LoggerContext();
        context.setMDCAdapter(new LogbackMDCAdapter());
        DaemonLog log = DaemonLog.of("worker", all, properties());
        log.properties().forEach(context::putProperty);
        further.forEach(context::putProperty);
        JoranConfigurator configurator = new JoranConfigurator();
        configurator.setContext(context);
        URL written = Objects.requireNonNull(DaemonLog.class.getResource("/" + log.configuration()));
        configurator.doConfigure(written);
        assertThat(context.getStatusManager().getCopyOfStatusList())
                .filteredOn(status -> status.getLevel() > Status.INFO)
                .isEmpty();
        context.start();
        return context;
    }

    private List<String> lines() throws IOException {
        return Files.readAllLines(directory.resolve("worker.log"));
    }

    @Test
    void theEnvironmentSaysWhereItIs() {
        assertThat(DaemonLog.of("worker", Map.of(), properties()).file())
                .isEqualTo(Path.of("/tmp/packing-someone/worker.log"));
        assertThat(DaemonLog.of("worker", Map.of(DaemonLog.DIRECTORY, "/var/log/packing"), properties())
                        .file())
                .isEqualTo(Path.of("/var/log/packing/worker.log"));
        Properties named = properties();
        named.setProperty("packing.log", "/elsewhere/w.log");
        assertThat(DaemonLog.of("worker", Map.of(DaemonLog.DIRECTORY, "/var/log/packing"), named)
                        .file())
                .isEqualTo(Path.of("/elsewhere/w.log"));
    }

    private Properties sharing(Path shared) {
        Properties properties = properties();
        properties.setProperty("java.io.tmpdir", shared.toString());
        return properties;
    }

    @Test
    void aLinkThatAnotherUserPutInTheSharedDirectoryIsNotFollowed() throws IOException {
        Path shared = Files.createDirectory(directory.resolve("tmp"));
        Path precious = Files.createDirectory(directory.resolve("precious"));
        Files.createSymbolicLink(shared.resolve("packing-someone"), precious);
        Properties properties = sharing(shared);
        DaemonLog log = DaemonLog.of("worker", Map.of(), properties);
        assertThatThrownBy(() -> log.requireWritable(shared.resolve("packing-someone")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is a link, or another user's")
                .hasMessageContaining(DaemonLog.DIRECTORY);
        List<String> complaints = new ArrayList<>();
        DaemonLog.nameOfCommand(properties, complaints::add);
        assertThat(complaints).singleElement().asString().contains("nothing is logged");
        assertThat(properties).doesNotContainKey("packing.log");
        assertThat(precious).isEmptyDirectory();
    }

    @Test
    void aLogThatNobodyNamedIsInAFolderOfTheUserAlone() throws IOException {
        Path shared = Files.createDirectory(directory.resolve("tmp"));
        Properties properties = sharing(shared);
        Path folder = shared.resolve("packing-someone");
        DaemonLog.of("worker", Map.of(), properties).requireWritable(folder);
        DaemonLog.nameOfCommand(properties, why -> {
            throw new AssertionError(why);
        });
        assertThat(properties)
                .containsEntry("packing.log", folder.resolve("packing.log").toString());
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
                .isEqualTo("rwx------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("worker.log"))))
                .isEqualTo("rw-------");
    }

    @Test
    void whatItCannotBeIsRefused() {
        assertThatThrownBy(() -> DaemonLog.of("worker", Map.of(DaemonLog.FORMAT, "jsn"), properties()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("PACKING_LOG_FORMAT: 'jsn' is none of [json, text]");
        assertThatThrownBy(() -> DaemonLog.of("worker", Map.of(DaemonLog.LEVELS, "/etc/levels"), properties()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PACKING_LOG_LEVELS: /etc/levels does not end in .properties");
    }

    @Test
    void asJsonEachLineIsAnObjectAlsoWithAStack() throws Exception {
        LoggerContext context = log(Map.of(DaemonLog.FORMAT, "json"), Map.of());
        context.getLogger("io.packing.worker.Push").warn("blob {} \"x\"\nnot pushed", 7, new IOException("no\nroute"));
        context.getLogger("io.packing.worker.Push").info("next");
        context.stop();
        assertThat(lines()).hasSize(2);
        JsonNode first = JSON.readTree(lines().get(0));
        assertThat(first.get("level").asText()).isEqualTo("WARN");
        assertThat(first.get("loggerName").asText()).isEqualTo("io.packing.worker.Push");
        assertThat(first.get("formattedMessage").asText()).isEqualTo("blob 7 \"x\"\nnot pushed");
        assertThat(first.get("timestamp").asLong()).isPositive();
        assertThat(first.get("throwable").get("message").asText()).isEqualTo("no\nroute");
        assertThat(first.get("throwable").get("stepArray")).isNotEmpty();
        assertThat(JSON.readTree(lines().get(1)).get("formattedMessage").asText())
                .isEqualTo("next");
    }

    @Test
    void levelsComeFromAFileThatIsReadAgainWhenItChanges() throws Exception {
        // It need not be there at the start.
        Path levels = directory.resolve("levels.properties");
        LoggerContext context =
                log(Map.of(DaemonLog.LEVELS, levels.toString()), Map.of("packing.log.scan", "10 milliseconds"));
        Logger worker = context.getLogger("io.packing.worker.Push");
        Logger master = context.getLogger("io.packing.bdt.Master");
        assertThat(worker.isWarnEnabled()).isTrue();
        assertThat(master.isTraceEnabled()).isFalse();
        Files.writeString(levels, "logback.logger.io.packing.worker=ERROR\nlogback.root=TRACE\n");
        Files.setLastModifiedTime(levels, FileTime.fromMillis(System.currentTimeMillis() + 60_000));
        while (worker.isWarnEnabled() || !master.isTraceEnabled()) {
            assertThat(Thread.interrupted()).as("time is up").isFalse();
        }
        context.stop();
    }

    @Test
    void itsSizeHasAnEnd() throws Exception {
        LoggerContext context = log(Map.of(), Map.of("packing.log.file.size", "100KB"));
        Logger logger = context.getLogger("io.packing.worker.Push");
        for (int i = 0; i < 5_000; i++) {
            logger.info("line {} {}", i, "x".repeat(100));
        }
        context.stop();
        assertThat(Files.size(directory.resolve("worker.log"))).isLessThan(150_000);
        try (Stream<Path> all = Files.list(directory)) {
            List<Path> old = all.filter(file -> file.toString().endsWith(".gz")).toList();
            assertThat(old).isNotEmpty();
            try (InputStream in = new GZIPInputStream(Files.newInputStream(old.get(0)))) {
                assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
                        .contains("INFO  i.p.worker.Push");
            }
        }
    }

    @Test
    void whatTravelsOnTheWireIsLoggedAtNoLevel() throws Exception {
        Path levels = Files.writeString(directory.resolve("levels.properties"), "logback.root=TRACE\n");
        LoggerContext context = log(Map.of(DaemonLog.LEVELS, levels.toString()), Map.of());
        for (String library : List.of(
                "org.apache.http.wire",
                "org.apache.hc.client5.http.headers",
                "software.amazon.awssdk.request",
                "com.google.api.client.http.HttpTransport",
                "com.google.auth.oauth2.OAuth2Credentials",
                "com.azure.core.http.policy.HttpLoggingPolicy",
                "com.microsoft.aad.msal4j.HttpHelper",
                "io.grpc.netty.NettyServerHandler",
                "io.grpc.netty.shaded.io.grpc.netty.NettyServerHandler",
                "io.netty.handler",
                "org.eclipse.jetty.http.HttpParser")) {
            assertThat(context.getLogger(library).isDebugEnabled()).as(library).isFalse();
            context.getLogger(library).trace("Authorization: Bearer {}", "hidden");
            context.getLogger(library).info("{} starts", library);
        }
        context.getLogger("io.packing.worker.Push").trace("seen");
        context.stop();
        assertThat(String.join("\n", lines()))
                .contains("seen", "io.netty.handler starts")
                .doesNotContain("hidden");
    }
}
