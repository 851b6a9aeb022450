// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code packing mounts evacuate}: a mount goes to another directory, and its worker and clients with it. */
@Timeout(180)
class EvacuateCommandTest {
    @TempDir
    private Path directory = Path.of("");

    private CommandMount mount;
    private Path moved = Path.of("");

    @BeforeAll
    static void prices() {
        System.setProperty(
                "packing.home", Path.of("..").toAbsolutePath().normalize().toString());
    }

    @BeforeEach
    void start() throws IOException {
        mount = CommandMount.start(directory);
        moved = Files.createDirectory(directory.resolve("moved"));
        write("/tree/before", "before");
        mount.flush();
    }

    @AfterEach
    void stop() throws IOException {
        mount.close();
    }

    private void write(String path, String text) throws IOException {
        mount.write(path, text.getBytes(StandardCharsets.US_ASCII));
    }

    private String text(String path) throws IOException {
        return new String(mount.read(path), StandardCharsets.US_ASCII);
    }

    private JsonNode json(CommandRun run) throws IOException {
        assertThat(run.exitCode()).as(run.err()).isZero();
        return Report.json().readTree(run.out());
    }

    private CommandRun evacuate(String... words) {
        return mount.run(
                "mounts evacuate",
                Stream.concat(Stream.of("--to", moved.toUri().toString()), Stream.of(words))
                        .toArray(String[]::new));
    }

    private void deleteOldStore() throws IOException {
        try (Stream<Path> files = Files.walk(directory.resolve("store"))) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    @Test
    void aMountNeedsNothingOfItsOldStoreAfterwards() throws IOException {
        JsonNode done = json(evacuate("--json"));
        assertThat(done.get("done").asBoolean()).isTrue();
        assertThat(done.get("blobs").asInt()).isEqualTo(1);
        assertThat(done.get("copied").asInt()).isEqualTo(1);
        deleteOldStore();
        assertThat(text("/tree/before")).isEqualTo("before");
        write("/tree/behind", "behind");
        mount.flush();
        assertThat(text("/tree/behind")).isEqualTo("behind");
        JsonNode shown = json(mount.run("mounts", "--json")).get(0);
        assertThat(shown.get("store").asText()).contains("moved");
        assertThat(shown.get("evacuations").get(0).get("done").asBoolean()).isTrue();
        // Commands that read blobs themselves find them, too, by the mount's name.
        assertThat(mount.run("fsck", "--verify").exitCode()).isZero();
        assertThat(mount.run("cat", "/tree/before").exitCode()).isZero();
        Path dump = directory.resolve("mount.dump");
        assertThat(mount.run("dump", dump.toString()).exitCode()).isZero();
        assertThat(mount.run("rm", "/tree/before").exitCode()).isZero();
        CommandRun loaded = mount.run("load", dump.toString(), "--copy-bytes");
        assertThat(loaded.exitCode()).as(loaded.err()).isZero();
        assertThat(text("/tree/before")).isEqualTo("before");
    }

    @Test
    void anEvacuationThatNobodyWaitsForGoesOnAndIsAborted() throws IOException, InterruptedException {
        JsonNode begun = json(evacuate("--detach", "--copy-rate", "1KB", "--json"));
        assertThat(begun.get("done").asBoolean()).isFalse();
        JsonNode shown =
                json(mount.run("mounts", "--json")).get(0).get("evacuations").get(0);
        assertThat(shown.get("from").asText()).contains("store");
        write("/tree/meanwhile", "meanwhile");
        mount.flush();
        assertThat(text("/tree/meanwhile")).isEqualTo("meanwhile");
        JsonNode back = json(mount.run("mounts evacuate", "--abort", "--json"));
        assertThat(back.get("to").asText()).contains("store");
        assertThat(text("/tree/before")).isEqualTo("before");
        assertThat(text("/tree/meanwhile")).isEqualTo("meanwhile");
        assertThat(mount.run("fsck", "--verify").exitCode()).isZero();
    }

    @Test
    void mistakesAreTold() throws IOException {
        assertThat(mount.run("mounts evacuate").err()).contains("name the new store in --to, or --abort");
        assertThat(mount.run("mounts evacuate", "--abort").err()).contains("no evacuation of mount");
        Files.writeString(moved.resolve("notes"), "mine");
        for (List<String> mistake : List.of(
                List.of(moved.toUri().toString(), "is not empty"),
                List.of(mount.store(), "already"),
                List.of("file:///elsewhere", "may not use"))) {
            CommandRun run = mount.run("mounts evacuate", "--to", mistake.get(0));
            assertThat(run.exitCode()).as(run.out()).isNotZero();
            assertThat(run.err()).contains(mistake.get(1));
        }
        assertThat(text("/tree/before")).isEqualTo("before");
    }
}
