// SPDX-License-Identifier: Apache-2.0
package io.packing.fuzz.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A test with daemons' mistakes planted on a host, which a process of an ordinary user must find. */
@Timeout(120)
final class PlantedHostTest {
    private static final String SECRET = "f00dfeedbeef";

    @TempDir
    private Path home;

    private OrdinaryUser user;
    private Path daemon;

    @BeforeEach
    void start() throws IOException {
        assumeTrue(
                OrdinaryUser.missing().isEmpty(), () -> OrdinaryUser.missing().orElse(""));
        OrdinaryUser.open(home);
        user = OrdinaryUser.at(home.resolve("program"));
        daemon = Files.createDirectory(home.resolve("daemon"));
        mode(daemon, "rwx------");
    }

    private static void mode(Path path, String mode) throws IOException {
        Path unused = Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
    }

    private List<String> harm(String... more) throws IOException, InterruptedException {
        StringBuilder hex = new StringBuilder();
        for (byte each : SECRET.getBytes(StandardCharsets.UTF_8)) {
            hex.append("%02x".formatted(each));
        }
        OrdinaryUser.Said said = user.prowl(List.of("mark " + hex, more.length > 0 ? more[0] : "closed " + daemon));
        assertThat(said.tried()).isPositive();
        return said.harm();
    }

    @Test
    void aFileThatOthersMayReadIsFound() throws Exception {
        Path file = Files.writeString(daemon.resolve("segment"), "x" + SECRET);
        mode(file, "rw-r--r--");
        assertThat(harm()).as("the directory is closed").isEmpty();
        mode(daemon, "rwxr-xr-x");
        assertThat(harm())
                .anyMatch(what -> what.startsWith("lists '"))
                .anyMatch(what -> what.startsWith("reads '"))
                .anyMatch(what -> what.startsWith("has a secret from the bytes of"))
                .noneMatch(what -> what.startsWith("writes '"));
        assertThat(harm("open " + home)).anyMatch(what -> what.startsWith("has a secret from the bytes of"));
        mode(file, "rw-------");
        assertThat(harm("open " + home)).isEmpty();
    }

    @Test
    void aDirectoryAndAFileThatOthersMayWriteAreFound() throws Exception {
        Path file = Files.writeString(daemon.resolve("segment"), "text");
        mode(file, "rw-rw-rw-");
        mode(daemon, "rwxrwxrwx");
        assertThat(harm())
                .anyMatch(what -> what.startsWith("writes '"))
                .anyMatch(what -> what.startsWith("replaces '"))
                .anyMatch(what -> what.startsWith("makes files in '"));
        assertThat(file).hasContent("text");
    }

    @Test
    void aSocketThatOthersMayConnectToIsFound() throws Exception {
        Path path = daemon.resolve("socket");
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(path));
            assertThat(harm("sockets " + home)).isEmpty();
            mode(daemon, "rwxr-xr-x");
            mode(path, "rwxrwxrwx");
            assertThat(harm("sockets " + home)).anyMatch(what -> what.startsWith("connects to '"));
        }
    }

    @Test
    void aPortThatTellsASecretIsFound() throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
        server.setExecutor(Executors.newSingleThreadExecutor());
        server.createContext("/", exchange -> {
            byte[] answer = SECRET.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        server.start();
        try {
            assertThat(harm("port " + server.getAddress().getPort()))
                    .anyMatch(what -> what.startsWith("has a secret from port"));
        } finally {
            server.stop(0);
        }
    }

    @Test
    void aLinkIsPlantedWhereEverybodyMayWriteAndNowhereElse() throws Exception {
        Path shared = Files.createDirectory(home.resolve("shared"));
        Files.setAttribute(shared, "unix:mode", 01777);
        List<String> unused = harm("link " + shared.resolve("buffer") + " " + daemon);
        assertThat(Files.isSymbolicLink(shared.resolve("buffer"))).isTrue();
        unused = harm("link " + daemon.resolve("buffer") + " " + home);
        assertThat(daemon).isEmptyDirectory();
    }
}
