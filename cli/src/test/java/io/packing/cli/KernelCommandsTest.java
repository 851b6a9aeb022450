// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.blob.FilePath;
import io.packing.fuse.mount.FuseMount;
import io.packing.fuse.mount.KernelMountTable;
import io.packing.registry.RegistryOptions;
import io.packing.registry.RegistryServer;
import io.packing.registry.access.Access;
import io.packing.registry.oci.Digest;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The commands that mount something for the kernel, as a user gives them. */
@Timeout(300)
@Tag("process")
class KernelCommandsTest {
    @TempDir
    private Path home;

    private CommandMount mount;
    private Path directory = Path.of("");

    @BeforeEach
    void start() throws IOException {
        assumeTrue(FuseMount.isPossible(), "/dev/fuse cannot be opened: load the fuse module, and run as root");
        mount = CommandMount.start(home);
        directory = Files.createDirectories(home.resolve("mounted"));
    }

    @AfterEach
    void stop() throws IOException, InterruptedException {
        if (mount != null) {
            try (CommandMount closing = mount) {
                KernelMountTable.unmount(directory);
            }
        }
    }

    private List<String> mountWords(String... more) {
        List<String> words = new ArrayList<>(List.of(
                "mount", "packing://" + mount.master() + "/", directory.toString(), "--state", home + "/state"));
        words.addAll(List.of(more));
        return words;
    }

    private static CommandRun run(List<String> words) {
        CommandRun run = CommandRun.of(words.toArray(String[]::new));
        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCodes.OK);
        return run;
    }

    @Test
    void aDaemonStaysUntilItsDirectoryIsUnmounted() throws Exception {
        Path trace = home.resolve("trace");
        CommandRun run = run(mountWords("--daemon", "--json", "--trace", trace.toString()));
        assertThat(run.out()).contains("\"directory\" : \"" + directory + '"');
        Files.writeString(directory.resolve("f"), "text");
        assertThat(mount.read("/f")).isEqualTo("text".getBytes(StandardCharsets.UTF_8));
        KernelMountTable.unmount(directory);
        assertThat(directory.resolve("f")).doesNotExist();
        assertThat(trace).exists();
        assertThat(CommandRun.of(mountWords("--trace", trace.toString()).toArray(String[]::new))
                        .err())
                .contains("is there already");
    }

    @Test
    void theForegroundUnmountsWhenItIsTerminated() throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        command.addAll(mountWords("--read-only"));
        Process process = new ProcessBuilder(command)
                .redirectError(home.resolve("errors").toFile())
                .start();
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            String line = out.readLine();
            assertThat(line).as(Files.readString(home.resolve("errors"))).contains("is at " + directory);
            assertThat(KernelMountTable.typeAt(directory)).isPresent();
            process.destroy();
            process.waitFor();
        } finally {
            process.destroyForcibly();
        }
        assertThat(KernelMountTable.typeAt(directory)).isEmpty();
    }

    private List<String> layerWords(String... words) {
        List<String> all = new ArrayList<>(List.of("layers"));
        all.addAll(List.of(words));
        // Behind the name of a command below it.
        boolean below =
                List.of("root", "create", "roots", "push", "publish", "remove").contains(words[0]);
        all.add(below ? 2 : 1, mount.uri() + "registry");
        return all;
    }

    private static void send(String method, URI uri, byte[] body, String type) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(uri)
                .method(method, BodyPublishers.ofByteArray(body))
                .header("Content-Type", type)
                .build();
        HttpResponse<String> answer = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    }

    /** Pushes an image of one layer with one file; the digest of the layer. */
    private Digest pushImage(URI registry) throws Exception {
        Path tree = Files.createDirectories(home.resolve("tree"));
        Files.writeString(tree.resolve("hello"), "world");
        Path tar = home.resolve("layer.tar");
        assertThat(new ProcessBuilder("tar", "-cf", tar.toString(), "-C", tree.toString(), ".")
                        .start()
                        .waitFor())
                .isZero();
        byte[] layer = Files.readAllBytes(tar);
        Digest digest = Digest.Algorithm.SHA256.of(layer);
        byte[] config = "{\"rootfs\":{\"type\":\"layers\",\"diff_ids\":[\"%s\"]}}"
                .formatted(digest)
                .getBytes(StandardCharsets.UTF_8);
        Digest configDigest = Digest.Algorithm.SHA256.of(config);
        String type = "application/vnd.oci.image.manifest.v1+json";
        byte[] manifest =
                "{\"schemaVersion\":2,\"mediaType\":\"%s\",\"config\":{\"mediaType\":\"c/c\",\"digest\":\"%s\",\"size\":%d},\"layers\":[{\"mediaType\":\"l/l\",\"digest\":\"%s\",\"size\":%d}]}"
                        .formatted(type, configDigest, config.length, digest, layer.length)
                        .getBytes(StandardCharsets.UTF_8);
        String blobs = "/v2/app/blobs/uploads/?digest=";
        send("POST", registry.resolve(blobs + digest), layer, "application/octet-stream");
        send("POST", registry.resolve(blobs + configDigest), config, "application/octet-stream");
        send("PUT", registry.resolve("/v2/app/manifests/v1"), manifest, type);
        return digest;
    }

    @Test
    void layersAreShownAndContainersStartAndArePushed() throws Exception {
        try (RegistryServer server = RegistryServer.start(
                RegistryOptions.local(new FilePath("/registry")),
                mount.registryFiles(),
                Access.OPEN,
                new SimpleMeterRegistry())) {
            Digest layer = pushImage(server.uri());
            String state = home + "/state";
            assertThat(run(layerWords(directory.toString(), "--daemon", "--state", state))
                            .out())
                    .contains("additionallayerstores = [\"" + directory + ":ref\"]");
            String image = server.uri().getAuthority() + "/app:v1";
            String name = Base64.getEncoder().encodeToString(image.getBytes(StandardCharsets.UTF_8));
            assertThat(directory.resolve(name).resolve(layer + "/diff/hello")).hasContent("world");
            KernelMountTable.unmount(directory);

            assertThat(run(layerWords("root", image, directory.toString(), "--name", "one", "--daemon"))
                            .out())
                    .contains("the root of one");
            assertThat(directory.resolve("hello")).hasContent("world");
            Files.writeString(directory.resolve("hello"), "everybody");
            assertThat(run(layerWords("push", "one", "app:v2", "--json")).out()).contains("\"digest\" : \"sha256:");
            KernelMountTable.unmount(directory);
            assertThat(run(layerWords("root", "app:v2", directory.toString(), "--name", "two", "--daemon"))
                            .out())
                    .contains("the root of two");
            assertThat(directory.resolve("hello")).hasContent("everybody");
            // Kept at once, and published later.
            Files.writeString(directory.resolve("hello"), "later");
            assertThat(run(layerWords("push", "two", "app:v3", "--snapshot")).out())
                    .contains("app:v3 is a snapshot of two");
            KernelMountTable.unmount(directory);
            assertThat(run(layerWords("roots", directory.toString(), "--daemon"))
                            .out())
                    .contains("roots of");
            assertThat(directory.resolve("three")).doesNotExist();
            String roots = directory.toString();
            assertThat(run(layerWords("create", "app:v3", "--name", "three", "--roots", roots))
                            .out())
                    .contains("/containers/three/root");
            String[] elsewhere = layerWords("create", "app:v3", "--name", "four", "--roots", home + "/none")
                    .toArray(String[]::new);
            assertThat(CommandRun.of(elsewhere).err()).contains("/none has no four/root");
            assertThat(directory.resolve("three/root/hello")).hasContent("later");
            KernelMountTable.unmount(directory);
            assertThat(run(layerWords("publish", "app:v3", "--json")).out()).contains("\"entries\" : 2");
            assertThat(CommandRun.of(layerWords("publish", "app:v3").toArray(String[]::new))
                            .err())
                    .contains("no snapshot is kept");
            assertThat(run(layerWords("remove", "one")).err()).isEmpty();
            assertThat(CommandRun.of(layerWords("remove", "one").toArray(String[]::new))
                            .err())
                    .contains("no container one");
        }
    }
}
