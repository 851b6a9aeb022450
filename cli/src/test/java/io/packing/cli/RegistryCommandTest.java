// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the options of {@code packing registry}, and of its upkeep of a store. */
class RegistryCommandTest {
    @Test
    void aStoreThatIsNoMountIsRefused() {
        CommandRun run = CommandRun.of("registry", "--store", "file:///tmp/x", "--option", "packing.store=file:///x");
        assertThat(run.exitCode()).isEqualTo(ExitCodes.USAGE);
        assertThat(run.err()).contains("packing://[MOUNT@]HOST[:PORT]/PATH");
        assertThat(CommandRun.of("registry", "gc").exitCode()).isEqualTo(ExitCodes.USAGE);
        assertThat(CommandRun.of("registry", "--store", "packing://h:1/.reserved/x")
                        .err())
                .contains("/.reserved");
    }

    @Test
    void anAddressWithoutAPortAndRightsWithoutUsersAreRefused(@TempDir Path home) throws Exception {
        assertThat(CommandRun.of("registry", "--bind", "localhost").err()).contains("HOST:PORT");
        Path rights = Files.write(home.resolve("rights"), List.of("* * pull"), StandardCharsets.UTF_8);
        assertThat(CommandRun.of("registry", "--rights", rights.toString()).err())
                .contains("--users");
        Path users = Files.write(home.resolve("users"), List.of("alice:plain"), StandardCharsets.UTF_8);
        assertThat(CommandRun.of("registry", "--users", users.toString()).err()).contains("htpasswd -B");
        Path keys = Files.write(home.resolve("keys"), List.of("short"), StandardCharsets.UTF_8);
        assertThat(CommandRun.of("registry", "--token-keys", keys.toString()).err())
                .contains("--users");
        Files.write(
                users,
                List.of("alice:$2y$10$abcdefghijklmnopqrstuuO0qvWm3ZQZ3z1G7m5b8u0sWw4cTqv1i"),
                StandardCharsets.UTF_8);
        assertThat(CommandRun.of("registry", "--users", users.toString(), "--token-keys", keys.toString())
                        .err())
                .contains("32 characters");
        assertThat(CommandRun.of("registry", "--users", users.toString(), "--token-realm", "https://h/token")
                        .err())
                .contains("--token-keys");
    }

    /** One of the roles is called as a command below the registry's is. */
    @Test
    void aNodeThatDoesNotGoTogetherWithItsListIsRefused(@TempDir Path home) throws Exception {
        assertThat(CommandRun.of("registry", "--role", "dedup").err()).contains("--node-dir");
        Path list = Files.write(home.resolve("nodes"), List.of("d0 dedup http://h:1", "p0 primary http://h:2"));
        List<String> words = List.of("--node-dir", home.toString(), "--nodes", list.toString());
        assertThat(node(words, "dedup", "p0", "b1", "2").err()).contains("node p0 is primary");
        assertThat(node(words, "dedup", "d1", "b1", "2").err()).contains("'d1' is not in the list");
        assertThat(node(words, "dedup", "d0", "b1", "3").err()).contains("1 whole and 2 split replicas");
        assertThat(node(words, "dedup", "d0", "x", "2").err()).contains("no mode is called 'x'");
        Files.write(list, List.of("d0 dedup"));
        assertThat(node(words, "dedup", "d0", "b1", "2").err()).contains("NAME primary|dedup URI");
    }

    private static CommandRun node(List<String> words, String role, String name, String mode, String replicas) {
        List<String> all = new ArrayList<>(
                List.of("registry", "--role", role, "--node", name, "--mode", mode, "--replicas", replicas));
        all.addAll(words);
        return CommandRun.of(all.toArray(String[]::new));
    }

    @Test
    void upkeepOfAnEmptyStoreHasNothingToDo(@TempDir Path home) throws Exception {
        try (CommandMount mount = CommandMount.start(home)) {
            CommandRun gc = mount.registry("gc", "--dry-run", "--json");
            assertThat(gc.exitCode()).as(gc.err()).isEqualTo(ExitCodes.OK);
            assertThat(gc.out()).contains("\"manifests\" : 0");
            CommandRun dedup = mount.registry("dedup", "--json");
            assertThat(dedup.exitCode()).as(dedup.err()).isEqualTo(ExitCodes.OK);
            assertThat(dedup.out().strip()).isEqualTo("{ }");
            // A young file on its way to its place stays, an old one goes.
            mount.write("/registry/scratch/left", new byte[] {1});
            assertThat(mount.registry("gc", "--json").out()).contains("\"scratch\" : 0");
            assertThat(mount.registry("gc", "--json", "--grace", "0s").out()).contains("\"scratch\" : 1");
            assertThat(mount.has("/registry/scratch/left")).isFalse();
        }
    }
}
