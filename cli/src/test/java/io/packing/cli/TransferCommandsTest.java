// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of {@code packing clone}, {@code move} and {@code punch} for a user with only their help. */
@Timeout(120)
class TransferCommandsTest {
    @TempDir
    private Path directory = Path.of("");

    private CommandMount mount;

    @BeforeEach
    void start() throws IOException {
        mount = CommandMount.start(directory);
        mount.write("/a", bytes("0123456789"));
        mount.write("/b", bytes("abcde"));
    }

    @AfterEach
    void stop() throws IOException {
        mount.close();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Returns a file's text, with dots for zeros. */
    private String text(String path) throws IOException {
        return new String(mount.read(path), StandardCharsets.US_ASCII).replace('\0', '.');
    }

    private static void assertDone(CommandRun run) {
        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).startsWith("done in ").contains("position");
    }

    private static void assertRefused(CommandRun run, int exitCode, String message) {
        assertThat(run.err()).isEqualTo("packing: %s%n", message);
        assertThat(run.exitCode()).isEqualTo(exitCode);
        assertThat(run.out()).isEmpty();
    }

    @Test
    void aCloneHasTheBytesOfItsSourceAndStaysWhenTheSourceChanges() throws IOException {
        assertDone(mount.run("clone", "/a", "/d"));
        assertDone(mount.run("punch", "--offset", "2", "--length", "3", "/a"));
        assertThat(text("/d")).isEqualTo("0123456789");
        assertThat(text("/a")).isEqualTo("01...56789");
    }

    @Test
    void aCloneOfADirectoryHasAllThatIsBelowItAndChangesByItself() throws IOException {
        mount.write("/d/e/f", bytes("one"));
        assertDone(mount.run("clone", "/d", "/copy"));
        mount.write("/d/e/f", bytes("two"));
        assertDone(mount.run("move", "/copy/e", "/copy/moved"));
        mount.write("/copy/moved/g", bytes("three"));
        assertThat(text("/copy/moved/f")).isEqualTo("one");
        assertThat(text("/copy/moved/g")).isEqualTo("three");
        assertThat(text("/d/e/f")).isEqualTo("two");
        assertRefused(
                mount.run("clone", "--overwrite", "/d", "/copy"),
                ExitCodes.USAGE,
                "--overwrite is for files, and /d is a directory");
        assertRefused(
                mount.run("clone", "/d", "/copy"),
                ExitCodes.FAILED,
                "cannot clone the directory /d to /copy: there is something already; nothing has changed");
        CommandRun intoItself = mount.run("clone", "/d", "/d/e/d");
        assertThat(intoItself.exitCode()).isEqualTo(ExitCodes.FAILED);
        assertThat(intoItself.err()).contains("a tree would be in itself").contains("nothing has changed");
    }

    @Test
    void aRangeIsClonedOverWhatIsThereAndMayMakeAFileLonger() throws IOException {
        assertDone(mount.run("clone", "--offset", "7", "--length", "3", "--at", "1", "/a", "/b"));
        assertThat(text("/b")).isEqualTo("a789e");
        assertDone(mount.run("clone", "--offset", "0", "--length", "2", "--at", "6", "/a", "/b"));
        assertThat(text("/b")).isEqualTo("a789e.01");
        assertDone(mount.run("clone", "--offset", "0", "--length", "4", "--at", "2", "/a", "/a"));
        assertThat(text("/a")).isEqualTo("0101236789");
    }

    @Test
    void aMovedFileIsAtItsNewPathOnlyAndSoIsADirectory() throws IOException {
        mount.write("/d/f", bytes("f"));
        assertDone(mount.run("move", "/a", "/c"));
        assertDone(mount.run("move", "/d", "/e"));
        assertThat(text("/c")).isEqualTo("0123456789");
        assertThat(text("/e/f")).isEqualTo("f");
        assertThat(mount.has("/a")).isFalse();
        assertThat(mount.has("/d")).isFalse();
    }

    @Test
    void aMovedRangeLeavesZeros() throws IOException {
        assertDone(mount.run("move", "--offset", "4", "--length", "2", "--at", "5", "/a", "/b"));
        assertThat(text("/a")).isEqualTo("0123..6789");
        assertThat(text("/b")).isEqualTo("abcde45");
    }

    @Test
    void aPunchAtTheEndMakesAFileShorter() throws IOException {
        assertDone(mount.run("punch", "--offset", "8", "--length", "2", "/a"));
        assertThat(text("/a")).isEqualTo("01234567");
    }

    @ParameterizedTest
    @ValueSource(strings = {"clone", "move"})
    void aFileThatIsThereIsReplacedOnlyWhenSaid(String command) throws IOException {
        assertRefused(
                mount.run(command, "/a", "/b"),
                ExitCodes.FAILED,
                "cannot %s /a to /b: there is something already; nothing has changed".formatted(command));
        assertThat(text("/b")).isEqualTo("abcde");
        assertDone(mount.run(command, "--overwrite", "/a", "/b"));
        assertThat(text("/b")).isEqualTo("0123456789");
        assertThat(mount.has("/a")).isEqualTo(command.equals("clone"));
    }

    @ParameterizedTest
    @CsvSource({
        "clone,/none /c,clone /none to /c",
        "move,/none /c,move /none to /c",
        "clone,--offset 1 --length 2 /none /b,clone 2 bytes from offset 1 of /none to offset 0 of /b",
        "move,--offset 1 --length 2 --at 7 /none /b,move 2 bytes from offset 1 of /none to offset 7 of /b",
        "punch,--offset 1 --length 2 /none,punch 2 bytes from offset 1 of /none"
    })
    void aSourceThatIsNotThereIsNamed(String command, String words, String what) {
        assertRefused(
                mount.run(command, words.split(" ", -1)),
                ExitCodes.NOT_FOUND,
                "cannot %s: no such file or directory; nothing has changed".formatted(what));
    }

    @ParameterizedTest
    @CsvSource({
        "clone,--offset 8 --length 3 /a /b,clone 3 bytes from offset 8 of /a to offset 0 of /b: the range ends behind the end "
                + "of the file: /a has less than 11 bytes",
        "move,--offset 8 --length 3 /a /b,move 3 bytes from offset 8 of /a to offset 0 of /b: the range ends behind the end "
                + "of the file: /a has less than 11 bytes",
        "punch,--offset 10 --length 3 /a,punch 3 bytes from offset 10 of /a: the file has no byte at offset 10",
        "clone,--overwrite /a /a,'clone /a to /a: a file is no clone of itself; a range of it, with an offset and a length, "
                + "may go elsewhere in it'",
        "clone,/a /a,'clone /a to /a: a file is no clone of itself; a range of it, with an offset and a length, may go "
                + "elsewhere in it'",
        "clone,/ /c,clone the directory / to /c: a tree would be in itself",
        "move,/ /c,move / to /c: the root is never moved nor replaced"
    })
    void whatTheMasterCannotDoIsRefusedWithTheReason(String command, String words, String what) throws IOException {
        assertRefused(
                mount.run(command, words.split(" ", -1)),
                ExitCodes.FAILED,
                "cannot %s; nothing has changed".formatted(what));
        assertThat(text("/a")).isEqualTo("0123456789");
        assertThat(text("/b")).isEqualTo("abcde");
        assertThat(mount.has("/c")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "clone packing://other:1/x /y",
                "clone /a packing://other:1/y",
                "clone --offset 0 --length 1 packing://other:1/x /b",
                "move packing://other:1/x /y"
            })
    void bytesAreNotSharedBetweenMountsAndTheReasonIsSaid(String line) {
        String[] words = line.split(" ", -1);
        CommandRun run = mount.run(words[0].replace('_', ' '), Arrays.copyOfRange(words, 1, words.length));
        assertThat(run.exitCode()).isEqualTo(ExitCodes.USAGE);
        assertThat(run.err()).contains("name the mount in both, or in none");
    }

    @Test
    void anAddressOfAnythingElseIsNoPath() {
        CommandRun run = mount.run("clone", "--offset", "0", "--length", "1", "file:///x", "/b");
        assertThat(run.exitCode()).isEqualTo(ExitCodes.USAGE);
        assertThat(run.err()).contains("file:///x is an address, and no path of a mount", "packing copy");
    }

    @Test
    void equalBytesAreSharedAndOthersAreNot() throws IOException {
        mount.write("/c", bytes("0123456789"));
        mount.write("/long", bytes("xx0123456789"));
        String version = mount.version("/b");
        CommandRun run = mount.run("clone", "--if-equal", "/a", "/c");
        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).startsWith("10 bytes are shared");
        assertThat(run("du", "--json", "/").get("physical_bytes").asLong()).isEqualTo(10 + 5 + 12);
        assertThat(mount.run("clone", "--if-equal", "--at", "2", "/a", "/long").exitCode())
                .isZero();
        assertThat(mount.run("clone", "--if-equal", "--offset", "1", "--length", "3", "--at", "3", "/a", "/long")
                        .exitCode())
                .isZero();
        assertThat(text("/long")).isEqualTo("xx0123456789");
        assertThat(run("du", "--json", "/").get("physical_bytes").asLong()).isEqualTo(10 + 5 + 2);
        assertRefused(
                mount.run("clone", "--if-equal", "--offset", "0", "--length", "5", "/a", "/b"),
                ExitCodes.FAILED,
                "the bytes of /a[0:5) and of /b[0:5) differ; nothing has changed");
        assertThat(mount.version("/b")).isEqualTo(version);
        assertRefused(mount.run("clone", "--if-equal", "/a", "/b"), ExitCodes.FAILED, "/b[0:10): the file has 5 bytes");
        assertThat(mount.run("clone", "--if-equal", "/none", "/b").exitCode()).isEqualTo(ExitCodes.NOT_FOUND);
        assertThat(mount.run("clone", "--if-equal", "--overwrite", "/a", "/b").exitCode())
                .isEqualTo(ExitCodes.USAGE);
    }

    private JsonNode run(String command, String... words) throws IOException {
        return new ObjectMapper().readTree(mount.run(command, words).out());
    }

    @ParameterizedTest
    @CsvSource({
        "clone,--at 3 /a /c,--at is for ranges",
        "move,--at 0 /a /c,--at is for ranges",
        "clone,--offset 1 --length 2 --overwrite /a /b,--overwrite is for whole files",
        "clone,--offset 1 /a /b,--offset and --length belong together",
        "punch,/a,say which bytes",
        "punch,--length 2 /a,--offset and --length belong together",
        "punch,--offset 1 --length 0 /a,no range of 0 bytes",
        "clone,/a,DESTINATION",
        "move,/a /b/../c,/b/../c",
        "punch,--offset minus --length 1 /a,'minus'"
    })
    void whatContradictsItselfIsAWrongUseThatSaysWhatToDo(String command, String words, String message)
            throws IOException {
        CommandRun run = mount.run(command, words.split(" ", -1));
        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCodes.USAGE);
        assertThat(run.err()).contains(message);
        assertThat(text("/a")).isEqualTo("0123456789");
        assertThat(mount.has("/c")).isFalse();
    }

    @Test
    void theResultIsOneJsonValueWhenAsked() throws IOException {
        JsonNode json = new ObjectMapper()
                .readTree(mount.run("clone", "--json", "/a", "/c").out());
        assertThat(json.get("operations").asInt()).isEqualTo(1);
        assertThat(json.get("position").asLong()).isPositive();
        assertThat(json.get("milliseconds").asDouble()).isPositive();
    }
}
