// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packing.bdt.AttributeChange;
import io.packing.bdt.FileStatus;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Placement;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of {@code packing dedup} and {@code packing du}: equal files share their bytes, and readers see no difference. */
@Timeout(120)
class DedupCommandTest {
    @TempDir
    private Path directory = Path.of("");

    private CommandMount mount;

    @BeforeEach
    void start() throws IOException {
        mount = CommandMount.start(directory);
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

    private JsonNode json(String command, String... words) throws IOException {
        CommandRun run = mount.run(command + " --json", words);
        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        return new ObjectMapper().readTree(run.out());
    }

    private FileStatus status(String path) throws IOException {
        return mount.bdt().stat(new FilePath(path)).orElseThrow();
    }

    /** The only content of a file. */
    private LocatedFile content(String path) throws IOException {
        LocatedFile file = mount.bdt().locate(new FilePath(path)).orElseThrow();
        assertThat(file.placement()).as(path).isInstanceOf(Placement.Mapped.class);
        Placement.Mapped mapped = (Placement.Mapped) file.placement();
        assertThat(mapped.pieces()).as(path).hasSize(1);
        return mapped.pieces().get(0).content();
    }

    private boolean share(String one, String other) throws IOException {
        return content(one).status().version().equals(content(other).status().version());
    }

    private static void assertCounts(JsonNode json, long files, long duplicates, long shared, long physical) {
        assertThat(json.get("files").asLong()).as("files").isEqualTo(files);
        assertThat(json.get("duplicates").asLong()).as("duplicates").isEqualTo(duplicates);
        assertThat(json.get("shared_bytes").asLong()).as("shared_bytes").isEqualTo(shared);
        assertThat(json.get("physical_bytes").asLong()).as("physical_bytes").isEqualTo(physical);
    }

    /** Three of 10 bytes are the same; one differs at its end, one at its beginning; one is longer, two are empty. */
    private void writeTree() throws IOException {
        write("/d/a", "0123456789");
        write("/d/b/same", "0123456789");
        write("/d/b/c/same", "0123456789");
        write("/d/b/last", "012345678x");
        write("/d/first", "x123456789");
        write("/d/longer", "0123456789+");
        write("/d/empty", "");
        write("/d/nothing", "");
        write("/outside", "0123456789");
    }

    private void assertTreeReadsAsWritten() throws IOException {
        assertThat(text("/d/a")).isEqualTo("0123456789");
        assertThat(text("/d/b/same")).isEqualTo("0123456789");
        assertThat(text("/d/b/c/same")).isEqualTo("0123456789");
        assertThat(text("/d/b/last")).isEqualTo("012345678x");
        assertThat(text("/d/first")).isEqualTo("x123456789");
        assertThat(text("/d/longer")).isEqualTo("0123456789+");
        assertThat(text("/d/empty")).isEmpty();
        assertThat(text("/outside")).isEqualTo("0123456789");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void equalFilesShareTheirBytesAndNoOthersDo(boolean pushed) throws IOException {
        writeTree();
        if (pushed) {
            mount.flush();
        }
        JsonNode result = json("dedup", "/d");
        assertCounts(result, 8, 2, 20, 10 + 10 + 10 + 11);
        // The table has checksums of the files in blobs: dedup reads only those with equal checksums.
        assertThat(result.get("read_bytes").asLong()).isEqualTo(pushed ? 30 : 50);
        assertThat(share("/d/a", "/d/b/same")).isTrue();
        assertThat(share("/d/a", "/d/b/c/same")).isTrue();
        for (String other : new String[] {"/d/b/last", "/d/first", "/d/longer", "/d/empty", "/outside"}) {
            assertThat(status(other).state()).as(other).isNotEqualTo(FileStatus.State.MAPPED);
        }
        assertTreeReadsAsWritten();
        mount.flush();
        assertTreeReadsAsWritten();
    }

    @Test
    void whatIsSharedAlreadyIsNotReadAgain() throws IOException {
        writeTree();
        json("dedup", "/d");
        JsonNode again = json("dedup", "/d");
        assertCounts(again, 8, 0, 0, 41);
        assertThat(again.get("already_shared").asLong()).isEqualTo(2);
        // The three that differ, of which two have the length of others.
        assertThat(again.get("read_bytes").asLong()).isEqualTo(30);
    }

    @Test
    void clonesOfADuplicateFollowItWithoutBeingRead() throws IOException {
        write("/d/a", "0123456789");
        write("/d/b", "0123456789");
        assertThat(mount.run("clone", "/d/b", "/d/c").exitCode()).isZero();
        JsonNode result = json("dedup", "/d");
        assertCounts(result, 3, 2, 20, 10);
        assertThat(result.get("read_bytes").asLong()).isEqualTo(20);
        assertThat(share("/d/a", "/d/b")).isTrue();
        assertThat(share("/d/a", "/d/c")).isTrue();
        assertThat(text("/d/c")).isEqualTo("0123456789");
    }

    @Test
    void filesOfPiecesAndHolesAreComparedByTheirBytes() throws IOException {
        write("/d/a", "01\0\0\0\0\0\0\0\0");
        write("/d/b", "0123456789");
        assertThat(mount.run("clone", "/d/b", "/d/c").exitCode()).isZero();
        assertThat(mount.run("punch", "/d/c", "--offset", "2", "--length", "7").exitCode())
                .isZero();
        // c is 01.......9 now.
        assertCounts(json("dedup", "--dry-run", "/d"), 3, 0, 0, 20);
        assertThat(mount.run("punch", "/d/b", "--offset", "2", "--length", "7").exitCode())
                .isZero();
        JsonNode shared = json("dedup", "--dry-run", "/d");
        assertThat(shared.get("already_shared").asLong()).isEqualTo(1);
        // The content that b and c share has three bytes left.
        assertCounts(shared, 3, 0, 0, 13);
        write("/d/d", "01\0\0\0\0\0\0\0009");
        assertCounts(json("dedup", "/d"), 4, 1, 10, 13);
        assertThat(text("/d/d")).isEqualTo("01\0\0\0\0\0\0\0009");
        assertCounts(json("du", "/d"), 4, 13);
    }

    private static void assertCounts(JsonNode usage, long files, long physical) {
        assertThat(usage.get("files").asLong()).as("files").isEqualTo(files);
        assertThat(usage.get("physical_bytes").asLong()).as("physical_bytes").isEqualTo(physical);
    }

    @Test
    void aDuplicateStaysTheFileThatItIs() throws IOException {
        write("/d/a", "0123456789");
        write("/d/b", "0123456789");
        AttributeChange change = new AttributeChange(
                Optional.of("ann"), Optional.of("staff"), OptionalInt.of(0600), OptionalLong.of(1_234_567L));
        mount.bdt().setAttributes(new FilePath("/d/b"), change);
        FileStatus before = status("/d/b");
        FileStatus first = status("/d/a");
        assertCounts(json("dedup", "/d"), 2, 1, 10, 10);
        assertThat(status("/d/b").attributes()).isEqualTo(new FileAttributes(10, 1_234_567L, "ann", "staff", 0600));
        assertThat(status("/d/b").version().id()).isEqualTo(before.version().id());
        assertThat(status("/d/a").version()).isEqualTo(first.version());
        assertThat(status("/d/a").attributes()).isEqualTo(first.attributes());
        write("/d/b", "other");
        assertThat(text("/d/a")).isEqualTo("0123456789");
    }

    @Test
    void aDryRunTellsTheSameAndChangesNothing() throws IOException {
        writeTree();
        FileStatus before = status("/d/b/same");
        JsonNode dry = json("dedup", "--dry-run", "/d");
        assertThat(dry.get("dry_run").asBoolean()).isTrue();
        assertThat(status("/d/b/same")).isEqualTo(before);
        assertCounts(json("du", "/d"), 8, 61);
        JsonNode real = json("dedup", "/d");
        assertThat(real.get("dry_run").asBoolean()).isFalse();
        for (String field : new String[] {"files", "duplicates", "shared_bytes", "physical_bytes", "read_bytes"}) {
            assertThat(dry.get(field)).as(field).isEqualTo(real.get(field));
        }
    }

    @Test
    void aSnapshotKeepsWhatItSaw() throws IOException {
        write("/d/a", "0123456789");
        write("/d/b", "0123456789");
        assertThat(mount.run("snapshot create", "/d", "s").exitCode()).isZero();
        assertCounts(json("dedup", "/d"), 2, 1, 10, 10);
        assertThat(text("/d/.snapshot/s/b")).isEqualTo("0123456789");
        assertCounts(json("du", "/d/.snapshot/s"), 2, 20);
    }

    @Test
    void duCountsWhatIsSharedOnce() throws IOException {
        write("/d/a", "0123456789");
        assertThat(mount.run("clone", "/d/a", "/d/b").exitCode()).isZero();
        write("/d/sub/c", "abc");
        JsonNode usage = json("du", "/d");
        assertCounts(usage, 3, 13);
        assertThat(usage.get("directories").asLong()).isEqualTo(2);
        assertThat(usage.get("logical_bytes").asLong()).isEqualTo(23);
        assertCounts(json("du", "/d/b"), 1, 10);
        assertThat(mount.run("du", "/d").out()).contains("3 files", "23 bytes of files", "13 bytes of contents");
    }

    @Test
    void duCountsOnceWhatACloneOfADirectoryShows() throws IOException {
        write("/d/a", "0123456789");
        assertThat(mount.run("clone", "/d", "/e").exitCode()).isZero();
        write("/e/own", "abc");
        JsonNode usage = json("du", "/");
        assertCounts(usage, 3, 13);
        assertThat(usage.get("logical_bytes").asLong()).isEqualTo(23);
    }

    @Test
    void peopleGetATable() throws IOException {
        write("/a", "0123456789");
        write("/b", "0123456789");
        assertThat(mount.run("dedup", "--dry-run", "/").out())
                .contains("2 files", "1 would share the bytes of an equal file", "10 bytes would be shared");
        assertThat(mount.run("dedup", "/").out())
                .contains("1 share the bytes of an equal file now", "10 bytes of contents then");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            dedup|/no|5|/no: no such file or directory
            dedup|/d/.snapshot/s|2|a snapshot is never changed
            dedup|--dry-run /d/.snapshot|2|a snapshot is never changed
            dedup|/.reserved|2|the system's own
            dedup|/.reserved/scratch|2|the system's own
            dedup|/d/../d|2|..
            dedup|/d /d|2|Unmatched argument
            dedup||2|Missing required parameter
            du|/no|5|/no: no such file or directory
            du|/d/..|2|..
            du|/d/.snapshot/t|5|/d/.snapshot/t: no such file or directory
            """)
    void whatCannotBeIsRefusedInWords(String command, String words, int exitCode, String message) throws IOException {
        write("/d/a", "0123456789");
        assertThat(mount.run("snapshot create", "/d", "s").exitCode()).isZero();
        CommandRun run = words == null ? mount.run(command) : mount.run(command, words.split(" ", -1));
        assertThat(run.exitCode()).as(run.err()).isEqualTo(exitCode);
        assertThat(run.err()).contains(message);
        assertThat(run.out()).isEmpty();
    }

    @Test
    void aFileAloneHasNoDuplicates() throws IOException {
        write("/d/a", "0123456789");
        assertCounts(json("dedup", "/d/a"), 1, 0, 0, 10);
    }
}
