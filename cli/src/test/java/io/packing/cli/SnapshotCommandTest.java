// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code packing snapshot}: what was there can be read after it changed, and nothing changes it. */
@Timeout(120)
class SnapshotCommandTest {
    @TempDir
    private Path directory = Path.of("");

    private CommandMount mount;

    @BeforeEach
    void start() throws IOException {
        mount = CommandMount.start(directory);
        write("/d/a", "before");
        write("/d/sub/b", "below");
        assertThat(mount.run("snapshot create", "/d", "s1").exitCode()).isZero();
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

    @Test
    void whatWasThereIsReadAfterItChanged() throws IOException {
        write("/d/a", "after");
        write("/d/new", "new");
        assertThat(mount.run("move", "/d/sub", "/elsewhere").exitCode()).isZero();
        assertThat(text("/d/.snapshot/s1/a")).isEqualTo("before");
        assertThat(text("/d/.snapshot/s1/sub/b")).isEqualTo("below");
        assertThat(mount.has("/d/.snapshot/s1/new")).isFalse();
        assertThat(text("/d/a")).isEqualTo("after");
        assertThat(mount.run("bdt ls", "/d").out()).doesNotContain(".snapshot");
        assertThat(mount.run("bdt ls", "/d/.snapshot/s1").out()).contains("/d/.snapshot/s1/a", "/d/.snapshot/s1/sub");
    }

    @Test
    void aFileIsRestoredByACloneOutOfASnapshot() throws IOException {
        write("/d/a", "after");
        assertThat(mount.run("clone", "/d/.snapshot/s1/a", "/d/a", "--overwrite")
                        .exitCode())
                .isZero();
        assertThat(text("/d/a")).isEqualTo("before");
    }

    @Test
    void snapshotsAreListedRenamedAndDeleted() {
        assertThat(mount.run("snapshot create", "/d", "s2").exitCode()).isZero();
        assertThat(mount.run("snapshot rename", "/d", "s1", "first").exitCode()).isZero();
        assertThat(mount.run("snapshot list", "/d").out())
                .contains("/d/.snapshot/first", "/d/.snapshot/s2")
                .doesNotContain("/d/.snapshot/s1");
        assertThat(mount.run("snapshot delete", "/d", "first").exitCode()).isZero();
        assertThat(mount.run("snapshot list", "/d").out()).doesNotContain("first");
    }

    @Test
    void whatChangedIsPrintedAndRestored() throws IOException {
        write("/d/a", "after");
        write("/d/new", "new");
        assertThat(mount.run("move", "/d/sub", "/d/below").exitCode()).isZero();
        assertThat(mount.run("snapshot create", "/d", "s2").exitCode()).isZero();
        String changes = "M  ./a%n+  ./new%nR  ./sub -> ./below%n".formatted();
        assertThat(mount.run("snapshot diff", "/d", "s1").out().lines())
                .containsExactlyInAnyOrder(changes.split("%n".formatted()));
        assertThat(mount.run("snapshot diff", "/d", "s1", "s2").out())
                .isEqualTo(mount.run("snapshot diff", "/d", "s1").out());
        assertThat(mount.run("snapshot diff", "/d", "s1", "--json").out().replaceAll("\\s", ""))
                .contains("{\"kind\":\"renamed\",\"path\":\"/below\",\"from\":\"/sub\"}");
        assertThat(mount.run("snapshot restore", "/d", "s1").exitCode()).isZero();
        assertThat(text("/d/a")).isEqualTo("before");
        assertThat(text("/d/sub/b")).isEqualTo("below");
        assertThat(mount.has("/d/new")).isFalse();
        assertThat(mount.run("snapshot diff", "/d", "s1").out()).isEmpty();
        assertThat(mount.run("snapshot restore", "/d", "s2").exitCode()).isZero();
        assertThat(text("/d/a")).isEqualTo("after");
    }

    @Test
    void aDirectoryOfASnapshotIsRestoredAlone() throws IOException {
        write("/d/a", "after");
        write("/d/sub/b", "after");
        assertThat(mount.run("snapshot restore", "/d", "s1", "--path", "sub").exitCode())
                .isZero();
        assertThat(text("/d/sub/b")).isEqualTo("below");
        assertThat(text("/d/a")).isEqualTo("after");
    }

    @Test
    void whatIsGoneIsRestoredAlone() throws IOException {
        assertThat(mount.deleteFailure("/d/sub")).isEmpty();
        assertThat(mount.deleteFailure("/d/a")).isEmpty();
        assertThat(mount.run("snapshot restore", "/d", "s1", "--path", "sub").exitCode())
                .isZero();
        assertThat(text("/d/sub/b")).isEqualTo("below");
        assertThat(mount.has("/d/a")).isFalse();
        assertThat(mount.run("snapshot restore", "/d", "s1", "--path", "a").exitCode())
                .isZero();
        assertThat(text("/d/a")).isEqualTo("before");
        assertThat(mount.deleteFailure("/d/sub")).isEmpty();
        assertThat(mount.run("snapshot restore", "/d", "s1", "--path", "sub/b").err())
                .contains("cannot clone /d/.snapshot/s1/sub/b to /d/sub/b", "the directory above does not exist");
    }

    @Test
    void aNewDirectoryWithSnapshotsIsInTheWayOfARestore() throws IOException {
        write("/d/a", "after");
        write("/d/new/b", "new");
        assertThat(mount.run("snapshot create", "/d/new", "n1").exitCode()).isZero();
        CommandRun run = mount.run("snapshot restore", "/d", "s1");
        assertThat(run.exitCode()).isNotZero();
        assertThat(run.err()).contains("/d/new has the snapshot n1 of /d/new");
        assertThat(text("/d/a")).isEqualTo("after");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            snapshot create|/d s1|cannot take the snapshot s1 of /d: there is something already
            snapshot create|/no s1|cannot take the snapshot s1 of /no: no such file or directory
            snapshot create|/d/a s1|cannot take the snapshot s1 of /d/a: a file is where a directory must be
            snapshot create|/d a/b|snapshot name 'a/b'
            snapshot create|/d ..|..
            snapshot create|/d/.snapshot/s1 s2|a snapshot is never changed
            snapshot delete|/d s9|cannot delete the snapshot s9 of /d: no such file or directory
            snapshot rename|/d s9 s8|cannot rename the snapshot s9 of /d to s8: no such file or directory
            snapshot diff|/d s9|/d has no snapshot s9
            snapshot diff|/d s1 s9|/d has no snapshot s9
            snapshot diff|/no s1|/no: no such directory
            snapshot restore|/d s9|/d has no snapshot s9
            snapshot restore|/d/a s1|/d/a
            snapshot restore|/d s1 --path no|/d/.snapshot/s1/no: no such file or directory
            snapshot restore|/d s1 --path a/b|/d/.snapshot/s1/a/b: no such file or directory
            snapshot restore|/d s1 --path ../x|..
            move|/d/.snapshot/s1/a /x|a snapshot is never changed
            clone|/d/a /d/.snapshot/s1/c|a snapshot is never changed
            punch|/d/.snapshot/s1/a --offset 0 --length 1|a snapshot is never changed
            """)
    void whatCannotBeIsRefusedInWordsAndNothingChanges(String command, String words, String message)
            throws IOException {
        CommandRun run = mount.run(command, words.split(" ", -1));
        assertThat(run.exitCode()).isNotZero();
        assertThat(run.err()).contains(message);
        assertThat(text("/d/a")).isEqualTo("before");
        assertThat(text("/d/.snapshot/s1/a")).isEqualTo("before");
    }

    @Test
    void aDirectoryWithSnapshotsIsNotDeleted() throws IOException {
        assertThat(mount.deleteFailure("/d")).contains("/d has the snapshot s1 of /d");
        assertThat(mount.run("snapshot delete", "/d", "s1").exitCode()).isZero();
        assertThat(mount.deleteFailure("/d")).isEmpty();
    }
}
