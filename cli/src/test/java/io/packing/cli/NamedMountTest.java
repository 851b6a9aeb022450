// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The ways to name the mount of a command: a URI, the environment, the current context, and the form of earlier versions. */
class NamedMountTest {
    @TempDir
    Path home;

    private CommandMount mount;
    private String uri = "";

    @BeforeAll
    static void prices() {
        System.setProperty(
                "packing.home", Path.of("..").toAbsolutePath().normalize().toString());
    }

    @BeforeEach
    void start() throws IOException {
        mount = CommandMount.start(home);
        mount.write("/d/a", "bytes".getBytes(StandardCharsets.UTF_8));
        mount.flush();
        uri = "packing://" + mount.master();
    }

    @AfterEach
    void stop() throws IOException {
        mount.close();
    }

    private static void works(Map<String, String> environment, List<String> words) {
        CommandRun run = CommandRun.of(environment, words.toArray(String[]::new));
        assertThat(run.err()).as(String.join(" ", words)).doesNotContain("packing: ", "Usage");
        assertThat(run.exitCode()).as(String.join(" ", words)).isZero();
    }

    /** The master tells the store: none of these names it. */
    @Test
    void everyCommandOfAMountTakesItsUri() throws IOException {
        String dump = home.resolve("dump").toString();
        Path vector = Files.writeString(home.resolve("vector"), "{\"operations\": [{\"mkdir\": {\"path\": \"/v\"}}]}");
        Path bytes = Files.writeString(home.resolve("bytes"), "more");
        for (List<String> words : List.of(
                List.of("ls", uri + "/d"),
                List.of("stat", uri + "/d/a"),
                List.of("locate", uri + "/d/a"),
                List.of("du", uri + "/"),
                List.of("clone", uri + "/d/a", uri + "/b"),
                List.of("move", uri + "/b", uri + "/c"),
                List.of("punch", "--offset", "0", "--length", "1", uri + "/c"),
                List.of("write-at", "--offset", "0", uri + "/c", bytes.toString()),
                List.of("dedup", uri + "/"),
                List.of("vector", uri + "/", vector.toString()),
                List.of("snapshot", "create", uri + "/d", "s"),
                List.of("snapshot", "list", uri + "/d"),
                List.of("snapshot", "diff", uri + "/d", "s"),
                List.of("snapshot", "restore", uri + "/d", "s"),
                List.of("snapshot", "rename", uri + "/d", "s", "t"),
                List.of("snapshot", "delete", uri + "/d", "t"),
                List.of("quota", "set", "--names", "1000", uri + "/d"),
                List.of("quota", "show", uri + "/d"),
                List.of("quota", "list", uri),
                List.of("quota", "clear", uri + "/d"),
                List.of("flush", uri),
                List.of("fsck", uri),
                List.of("gc", "--dry-run", uri),
                List.of("dump", uri + "/d", dump),
                List.of("load", "--into", "/loaded", uri, dump),
                List.of("mounts", uri),
                List.of("mounts", "show", uri),
                List.of("mounts", "set", "--option", "packing.gc.grace=2h", uri),
                List.of("top", "--count", "1", uri),
                List.of("registry", "gc", uri + "/registry"),
                List.of("registry", "dedup", uri + "/registry"),
                List.of("registry", "translate", "--to", "tar", uri + "/registry"),
                List.of("copy", uri + "/d", home.resolve("copied").toUri().toString()),
                List.of("drain", uri, "w1"))) {
            works(Map.of(), words);
        }
        assertThat(home.resolve("copied/a")).hasContent("bytes");
    }

    @Test
    void aPathIsBelowTheEnvironmentsMountOrElseBelowTheCurrentContext() {
        Map<String, String> contexts =
                Map.of(Contexts.FILE_VARIABLE, home.resolve("contexts").toString());
        works(contexts, List.of("context", "add", "demo", uri + "/d"));
        works(contexts, List.of("stat", "/a"));
        works(contexts, List.of("ls"));
        works(contexts, List.of("flush"));
        Map<String, String> both =
                Map.of(Contexts.FILE_VARIABLE, home.resolve("contexts").toString(), Contexts.MOUNT_VARIABLE, uri);
        works(both, List.of("stat", "/d/a"));
        works(both, List.of("stat", uri + "/d/a"));
    }

    @Test
    void theFormOfEarlierVersionsWorksAndOneLineSaysWhatReplacesIt() {
        CommandRun old = CommandRun.of(
                Map.of(),
                "bdt",
                "stat",
                "--master",
                mount.master(),
                "--option",
                "packing.store=" + mount.store(),
                "/d/a");
        assertThat(old.exitCode()).isZero();
        assertThat(old.out()).contains("/d/a");
        assertThat(old.err().lines())
                .containsExactly(
                        "packing: --master is taken for this version only; use packing://[MOUNT@]HOST[:PORT]/PATH,"
                                + " PACKING_MOUNT or packing context");
    }

    @Test
    void pathsOfTwoMountsAreRefused() {
        CommandRun two = CommandRun.of(Map.of(), "clone", uri + "/d/a", "packing://127.0.0.1:1/b");
        assertThat(two.exitCode()).isEqualTo(ExitCodes.USAGE);
        assertThat(two.err()).contains("two mounts", "packing copy");
        CommandRun half = CommandRun.of(Map.of(Contexts.MOUNT_VARIABLE, uri), "clone", "/d/a", uri + "/b");
        assertThat(half.exitCode()).isEqualTo(ExitCodes.USAGE);
        assertThat(half.err()).contains("name the mount in both, or in none");
    }

    @Test
    void aMountThatTheMasterDoesNotKnowIsRefusedWithThoseThatItKnows() {
        CommandRun unknown = CommandRun.of(Map.of(), "ls", "packing://photos@" + mount.master() + "/");
        assertThat(unknown.exitCode()).isEqualTo(ExitCodes.USAGE);
        assertThat(unknown.err()).contains("knows no mount 'photos'; it knows ");
    }
}
