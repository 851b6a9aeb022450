// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code packing branch}: branches are made, compared, merged and dropped, with bytes that a worker has. */
@Timeout(120)
class BranchCommandTest {
    @TempDir
    private Path directory = Path.of("");

    private CommandMount mount;

    @BeforeEach
    void start() throws IOException {
        mount = CommandMount.start(directory);
        write("/tree/a", "before");
        write("/tree/sub/b", "below");
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
        return Report.json().readTree(run.out());
    }

    @Test
    void aThousandBranchesAreMadeByOneCommand() throws IOException {
        CommandRun run = CommandRun.of("branch", "create", mount.uri() + "tree", "--count", "1000", "--json");
        assertThat(run.exitCode()).as(run.err()).isZero();
        JsonNode made = json(run);
        assertThat(made.get("branches").asInt()).isEqualTo(1000);
        assertThat(made.get("seconds").asDouble()).isPositive();
        // A clone is some rows of some hundred bytes.
        assertThat(made.get("table_bytes").asLong()).isBetween(100_000L, 5_000_000L);
        assertThat(text("/tree.branches/1/0777/sub/b")).isEqualTo("below");
        assertThat(mount.run("branch list", "/tree").out().lines()).hasSize(1000);
    }

    @Test
    void changesAreMergedWithTheirBytes() throws IOException {
        assertThat(mount.run("branch create", "/tree", "--name", "fix").out())
                .contains("/tree.branches/fix", "1 branches in");
        write("/tree.branches/fix/1/a", "after");
        write("/tree.branches/fix/1/new", "new");
        write("/tree/sub/b", "theirs");
        assertThat(mount.run("branch diff", "/tree.branches/fix/1").out().lines())
                .containsExactly("branch  M  ./a", "branch  +  ./new", "origin  M  ./sub/b");
        assertThat(mount.run("branch diff", "/tree.branches/fix/1", "--branch-only", "--path", "/new")
                        .out()
                        .lines())
                .containsExactly("branch  +  ./new");
        CommandRun merged = mount.run("branch merge", "/tree.branches/fix/1", "--json");
        assertThat(merged.exitCode()).as(merged.err()).isZero();
        assertThat(json(merged).get("changes").asInt()).isEqualTo(2);
        assertThat(text("/tree/a")).isEqualTo("after");
        assertThat(text("/tree/new")).isEqualTo("new");
        assertThat(text("/tree/sub/b")).isEqualTo("theirs");
        assertThat(mount.run("branch drop", "/tree.branches/fix/1").out())
                .isEqualTo("1 branches are deleted, and their base%n".formatted());
        mount.flush();
        assertThat(text("/tree/a")).isEqualTo("after");
    }

    @Test
    void conflictsArePrintedAndFail() throws IOException {
        assertThat(mount.run("branch create", "/tree").exitCode()).isZero();
        write("/tree.branches/1/1/a", "mine");
        write("/tree/a", "theirs");
        CommandRun run = mount.run("branch merge", "/tree.branches/1/1");
        assertThat(run.exitCode()).isEqualTo(ExitCodes.FAILED);
        assertThat(run.out())
                .contains(
                        "conflict  ./a: modified in the branch, modified in the origin",
                        "1 conflicts; nothing has changed");
        assertThat(text("/tree/a")).isEqualTo("theirs");
        JsonNode found = json(mount.run("branch merge", "/tree.branches/1/1", "--json"));
        assertThat(found.get("merged").asBoolean()).isFalse();
        assertThat(found.get("conflicts").get(0).get("path").asText()).isEqualTo("/a");
    }

    @Test
    void mistakesAreTold() {
        assertThat(mount.run("branch create", "/nothing").exitCode()).isEqualTo(ExitCodes.NOT_FOUND);
        assertThat(mount.run("branch create", "/").exitCode()).isEqualTo(ExitCodes.USAGE);
        assertThat(mount.run("branch create", "/tree", "--count", "0").exitCode())
                .isEqualTo(ExitCodes.USAGE);
        CommandRun plain = mount.run("branch merge", "/tree");
        assertThat(plain.exitCode()).isEqualTo(ExitCodes.USAGE);
        assertThat(plain.err()).contains("is no branch");
    }
}
