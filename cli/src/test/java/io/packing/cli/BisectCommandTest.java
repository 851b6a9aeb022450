// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.blob.FilePath;
import io.packing.fuse.mount.FuseMount;
import io.packing.fuse.mount.KernelMountTable;
import io.packing.process.LinkedProgram;
import io.packing.registry.RegistryOptions;
import io.packing.registry.RegistryServer;
import io.packing.registry.access.Access;
import io.packing.registry.oci.Digest;
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
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The search for a bad image, as a user gives it: images of this machine's shell, and a file that differs. */
@Timeout(300)
@Tag("process")
class BisectCommandTest {
    private static final Path SHELL = Path.of("/bin/sh");
    private static final String TYPE = "application/vnd.oci.image.manifest.v1+json";

    @TempDir
    private Path home;

    private static void send(String method, URI uri, byte[] body, String type) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(uri)
                .method(method, BodyPublishers.ofByteArray(body))
                .header("Content-Type", type)
                .build();
        HttpResponse<String> answer = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    }

    private static Digest blob(URI registry, byte[] bytes) throws Exception {
        Digest digest = Digest.Algorithm.SHA256.of(bytes);
        send("POST", registry.resolve("/v2/app/blobs/uploads/?digest=" + digest), bytes, "application/octet-stream");
        return digest;
    }

    private byte[] tar(Path tree) throws Exception {
        Path tar = home.resolve("layer.tar");
        assertThat(new ProcessBuilder("tar", "-cf", tar.toString(), "-C", tree.toString(), ".")
                        .start()
                        .waitFor())
                .isZero();
        return Files.readAllBytes(tar);
    }

    /** Returns a layer with this machine's shell, and what it is linked with. */
    private byte[] shell() throws Exception {
        Path root = Files.createDirectories(home.resolve("shell"));
        LinkedProgram.copy(SHELL.toString(), root);
        return tar(root);
    }

    /** Pushes images of two layers, whose file {@code version} has their place from 1 on; their tags do not sort by it. */
    private void push(URI registry, List<String> tags) throws Exception {
        byte[] shell = shell();
        Digest lower = blob(registry, shell);
        for (int i = 1; i <= tags.size(); i++) {
            Path tree = Files.createDirectories(home.resolve("tree-" + i));
            Files.writeString(tree.resolve("version"), i + "\n");
            byte[] layer = tar(tree);
            Digest upper = blob(registry, layer);
            byte[] config = "{\"rootfs\":{\"type\":\"layers\",\"diff_ids\":[\"%s\",\"%s\"]}}"
                    .formatted(lower, upper)
                    .getBytes(StandardCharsets.UTF_8);
            Digest described = blob(registry, config);
            String form = "{\"mediaType\":\"%s\",\"digest\":\"%s\",\"size\":%d}";
            String manifest = "{\"schemaVersion\":2,\"mediaType\":\"%s\",\"config\":%s,\"layers\":[%s,%s]}"
                    .formatted(
                            TYPE,
                            form.formatted("c/c", described, config.length),
                            form.formatted("l/l", lower, shell.length),
                            form.formatted("l/l", upper, layer.length));
            send(
                    "PUT",
                    registry.resolve("/v2/app/manifests/" + tags.get(i - 1)),
                    manifest.getBytes(StandardCharsets.UTF_8),
                    TYPE);
        }
    }

    private static CommandRun bisect(CommandMount mount, Path roots, String good, String bad, String script) {
        List<String> words = new ArrayList<>(List.of("bisect", "--json", "--roots", roots.toString()));
        words.addAll(List.of(mount.uri() + "registry", good, bad, "--", "/bin/sh", "-c", script));
        return CommandRun.of(words.toArray(String[]::new));
    }

    @Test
    void theRegistrysPlaceMayComeFromTheEnvironment() {
        Map<String, String> environment = Map.of(Contexts.MOUNT_VARIABLE, "packing://127.0.0.1:1/registry");
        String[] words = {
            "bisect",
            "--roots",
            home.toString(),
            "--option",
            "packing.master.timeout=1s",
            "app:v1",
            "other:v2",
            "--",
            "/bin/sh",
            "-c",
            "true"
        };
        assertThat(CommandRun.of(environment, words).err())
                .contains("127.0.0.1:1")
                .doesNotContain("Usage");
        String[] without = {"bisect", "--roots", home.toString(), "app:v1", "app:v2"};
        assertThat(CommandRun.of(environment, without).err()).contains("give GOOD, BAD and a command behind --");
    }

    @Test
    void theFirstImageByWhichACommandFailsIsFound() throws Exception {
        assumeTrue(FuseMount.isPossible(), "/dev/fuse cannot be opened: load the fuse module, and run as root");
        Path roots = Files.createDirectories(home.resolve("roots"));
        try (CommandMount mount = CommandMount.start(home);
                RegistryServer server = RegistryServer.start(
                        RegistryOptions.local(new FilePath("/registry")),
                        mount.registryFiles(),
                        Access.OPEN,
                        new SimpleMeterRegistry())) {
            push(server.uri(), List.of("ninth", "b", "c", "a", "fifth", "last"));
            CommandRun mounted =
                    CommandRun.of("layers", "roots", mount.uri() + "registry", roots.toString(), "--daemon");
            assertThat(mounted.exitCode()).as(mounted.err()).isEqualTo(ExitCodes.OK);
            try {
                // A write stays in its container: each trial finds what was pushed.
                String fails =
                        "echo changed > /said; read v < /version; [ $v -lt 4 ] && [ ! -e /before ] && echo > /before";
                CommandRun run = bisect(mount, roots, "app:ninth", "app:last", fails);
                assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCodes.OK);
                JsonNode found = new ObjectMapper().readTree(run.out());
                assertThat(found.path("first_bad").asText()).isEqualTo("app:a");
                assertThat(found.path("last_good").asText()).isEqualTo("app:c");
                assertThat(found.path("images").asInt()).isEqualTo(6);
                assertThat(found.path("tried").size()).as(run.out()).isLessThanOrEqualTo(5);

                // The image before the first bad one cannot be tried.
                CommandRun open = bisect(
                        mount,
                        roots,
                        "app:ninth",
                        "app:last",
                        "read v < /version; [ $v != 3 ] || exit 125; [ $v -lt 4 ]");
                assertThat(open.exitCode()).isEqualTo(ExitCodes.FAILED);
                assertThat(new ObjectMapper()
                                .readTree(open.out())
                                .path("untried")
                                .path(0)
                                .asText())
                        .isEqualTo("app:c");

                assertThat(bisect(mount, roots, "app:last", "app:ninth", "true").err())
                        .contains("was set before");
                assertThat(bisect(mount, roots, "app:ninth", "app:nothere", "true")
                                .err())
                        .contains("has no tag nothere");
                assertThat(bisect(mount, roots, "app:ninth", "app:last", "true").err())
                        .contains("app:last is good and was given as bad");
                assertThat(bisect(mount, roots, "app:ninth", "app:last", "exit 200")
                                .exitCode())
                        .isEqualTo(ExitCodes.FAILED);
                assertThat(bisect(mount, home.resolve("none"), "app:ninth", "app:last", "true")
                                .err())
                        .contains("give the directory of packing layers roots");
                assertThat(mount.registryFiles()
                                .list(new FilePath("/registry/containers"), "", 10)
                                .orElse(List.of()))
                        .as("containers that are left")
                        .isEmpty();
            } finally {
                KernelMountTable.unmount(roots);
            }
        }
    }
}
