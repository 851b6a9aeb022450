// SPDX-License-Identifier: Apache-2.0
package io.packing.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.blob.FilePath;
import io.packing.registry.access.Access;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real clients push and pull; each test names the package to install when its client is missing. */
@Tag("cluster")
class ClientsIT {
    @TempDir
    private Path home;

    private TestMount mount;
    private RegistryServer server;
    private String registry = "";
    private byte[] layer = new byte[0];
    private Path layout = Path.of("");

    @BeforeEach
    void start() throws IOException {
        mount = TestMount.start(home.resolve("mount"));
        server = RegistryServer.start(
                RegistryOptions.local(new FilePath("/registry")),
                mount.files(),
                Access.OPEN,
                new SimpleMeterRegistry());
        registry = server.uri().getAuthority();
        TestTar tar = new TestTar().header("bin/", '5', 0);
        for (int i = 0; i < 50; i++) {
            byte[] content = new byte[1_000 * i];
            Arrays.fill(content, (byte) i);
            tar.file("bin/f" + i, content);
        }
        layer = tar.end();
        layout = Files.createDirectories(home.resolve("layout"));
        OciLayout.write(layout, "v1", layer);
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
        mount.close();
    }

    /** Returns the path of a program on the path, or in {@code -Dpacking.clients=DIR}. */
    private static String program(String name, String install) {
        Stream<String> directories = Stream.concat(
                Stream.of(System.getProperty("packing.clients", "")),
                Arrays.stream(System.getenv("PATH").split(File.pathSeparator, -1)));
        List<Path> found = directories
                .filter(directory -> !directory.isEmpty())
                .map(directory -> Path.of(directory, name))
                .filter(Files::isExecutable)
                .toList();
        assumeTrue(!found.isEmpty(), "no %s on the path, nor in -Dpacking.clients=DIR: %s".formatted(name, install));
        return found.get(0).toString();
    }

    private String run(String... command) throws IOException, InterruptedException {
        Path log = home.resolve("client.log");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().put("HOME", home.toString());
        builder.environment()
                .put("CONTAINERS_STORAGE_CONF", home.resolve("storage.conf").toString());
        builder.environment()
                .put("CONTAINERS_CONF", home.resolve("containers.conf").toString());
        Process process = builder.start();
        if (!process.waitFor(5, TimeUnit.MINUTES)) {
            process.destroyForcibly();
        }
        String text = Files.readString(log);
        assertThat(process.waitFor())
                .as("%s: %s", String.join(" ", command), text)
                .isZero();
        return text;
    }

    @Test
    void skopeoCopiesInAndOutAndAcross() throws Exception {
        String skopeo = program("skopeo", "apt-get install skopeo");
        String first = "docker://" + registry + "/team/app:v1";
        run(skopeo, "copy", "--insecure-policy", "--dest-tls-verify=false", "oci:" + layout + ":v1", first);
        String second = "docker://" + registry + "/other/app:v1";
        run(skopeo, "copy", "--insecure-policy", "--src-tls-verify=false", "--dest-tls-verify=false", first, second);
        Path out = home.resolve("out");
        run(skopeo, "copy", "--insecure-policy", "--src-tls-verify=false", second, "oci:" + out + ":v1");
        assertThat(layers(out)).as("the layer, inflated").contains(layer);
        assertThat(run(skopeo, "list-tags", "--tls-verify=false", "docker://" + registry + "/other/app"))
                .contains("\"v1\"");
        run(skopeo, "delete", "--tls-verify=false", second);
        assertThat(new RegistryClient(server.uri())
                        .get("/v2/other/app/manifests/v1")
                        .statusCode())
                .isEqualTo(404);
    }

    private static List<byte[]> layers(Path out) throws IOException {
        try (Stream<Path> blobs = Files.list(out.resolve("blobs").resolve("sha256"))) {
            return blobs.map(ClientsIT::inflated).toList();
        }
    }

    private static byte[] inflated(Path blob) {
        try (GZIPInputStream in = new GZIPInputStream(Files.newInputStream(blob))) {
            return in.readAllBytes();
        } catch (IOException e) {
            // Not gzipped.
            return new byte[0];
        }
    }

    @Test
    void craneAndPodmanPullASplitLayer() throws Exception {
        String crane = program("crane", "go install github.com/google/go-containerregistry/cmd/crane@v0.22.1");
        run(crane, "--insecure", "push", layout.toString(), registry + "/split/app:v1");
        server.awaitPushed();
        assertThat(mount.files().stat(new FilePath("/registry/files")))
                .as("it is split")
                .isPresent();
        Path out = home.resolve("pulled");
        run(crane, "--insecure", "pull", "--format=oci", registry + "/split/app:v1", out.toString());
        assertThat(Files.readAllBytes(out.resolve("blobs/sha256")
                        .resolve(RegistryClient.digest(layer).hex())))
                .isEqualTo(layer);
        assertThat(run(crane, "--insecure", "ls", registry + "/split/app")).contains("v1");

        String podman = program("podman", "apt-get install podman");
        Files.writeString(
                home.resolve("storage.conf"),
                "[storage]\ndriver = \"vfs\"\ngraphroot = \"%s\"\nrunroot = \"%s\"\n"
                        .formatted(home.resolve("graph"), home.resolve("run")));
        Files.writeString(
                home.resolve("containers.conf"), "[engine]\ncgroup_manager = \"cgroupfs\"\nevents_logger = \"none\"\n");
        Files.createDirectories(home.resolve(".config/containers"));
        Files.writeString(
                home.resolve(".config/containers/policy.json"),
                "{\"default\":[{\"type\":\"insecureAcceptAnything\"}]}",
                StandardCharsets.UTF_8);
        run(podman, "pull", "--tls-verify=false", registry + "/split/app:v1");
        run(podman, "image", "exists", registry + "/split/app:v1");
        run(podman, "push", "--tls-verify=false", registry + "/split/app:v1", registry + "/back/app:v1");
        assertThat(new RegistryClient(server.uri())
                        .get("/v2/back/app/manifests/v1")
                        .statusCode())
                .isEqualTo(200);
    }
}
