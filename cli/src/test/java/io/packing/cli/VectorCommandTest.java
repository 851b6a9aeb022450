// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.blob.FilePath;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code packing vector}: all operations of a file, or none, and words for what was refused. */
@Timeout(120)
class VectorCommandTest {
    @TempDir
    private Path directory = Path.of("");

    private CommandMount mount;

    @BeforeEach
    void start() throws IOException {
        mount = CommandMount.start(directory);
        mount.write("/a", "0123456789".getBytes(StandardCharsets.US_ASCII));
        mount.write("/b", "abcde".getBytes(StandardCharsets.US_ASCII));
    }

    @AfterEach
    void stop() throws IOException {
        mount.close();
    }

    /** Applies a vector that is written with single quotes. */
    private CommandRun apply(String json) throws IOException {
        Path file = Files.writeString(directory.resolve("vector.json"), json.replace('\'', '"'));
        return mount.run("vector", file.toString());
    }

    private String text(String path) throws IOException {
        return new String(mount.read(path), StandardCharsets.US_ASCII).replace('\0', '.');
    }

    private void assertNothingChanged() throws IOException {
        assertThat(text("/a")).isEqualTo("0123456789");
        assertThat(text("/b")).isEqualTo("abcde");
        assertThat(mount.has("/c")).isFalse();
    }

    @Test
    void allOperationsHappenAndEachSeesThoseBeforeIt() throws IOException {
        CommandRun run = apply("""
                {'preconditions': [{'path': '/a', 'version': '%s'}, {'path': '/c', 'absent': true}],
                 'operations': [
                  {'clone': {'source': '/a', 'destination': '/c'}},
                  {'punch': {'path': '/c', 'offset': 0, 'length': 2}},
                  {'clone': {'source': '/b', 'destination': '/c', 'offset': 0, 'length': 1, 'at': 4}},
                  {'move': {'source': '/b', 'destination': '/c', 'offset': 1, 'length': 1, 'at': 5}},
                  {'truncate': {'path': '/c', 'length': 7}},
                  {'mkdir': {'path': '/d', 'mode': '700'}},
                  {'rename': {'source': '/b', 'destination': '/d/b'}},
                  {'move': {'source': '/d/b', 'destination': '/d/c'}},
                  {'attributes': {'path': '/c', 'owner': 'alice'}},
                  {'delete': {'path': '/a'}}]}
                """.formatted(mount.version("/a")));
        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(text("/c")).isEqualTo("..23ab6");
        assertThat(text("/d/c")).isEqualTo("a.cde");
        assertThat(mount.has("/a")).isFalse();
    }

    @Test
    void aSnapshotIsTakenTogetherWithAChange() throws IOException {
        CommandRun run = apply("""
                {'operations': [{'mkdir': {'path': '/d'}}, {'rename': {'source': '/a', 'destination': '/d/a'}},
                  {'snapshot': {'path': '/d', 'name': 's'}}, {'snapshot': {'path': '/d', 'name': 't'}},
                  {'delete': {'path': '/d/a'}}, {'snapshotDelete': {'path': '/d', 'name': 't'}},
                  {'snapshotRename': {'path': '/d', 'name': 's', 'newName': 'kept'}}]}
                """);
        assertThat(run.err()).isEmpty();
        assertThat(mount.has("/d/.snapshot/kept/a")).isTrue();
        assertThat(mount.has("/d/.snapshot/s")).isFalse();
        assertThat(mount.has("/d/.snapshot/t")).isFalse();
        assertThat(mount.has("/d/a")).isFalse();
    }

    @Test
    void whenOneIsRefusedNothingHappensAndItIsNamed() throws IOException {
        CommandRun run = apply("""
                {'operations': [{'clone': {'source': '/a', 'destination': '/c'}},
                 {'punch': {'path': '/a', 'offset': 0, 'length': 2}}, {'delete': {'path': '/none', 'recursive': true}}]}
                """);
        assertThat(run.err())
                .isEqualToIgnoringNewLines("packing: operation 3 of 3, delete /none and all below it: "
                        + "no such file or directory; nothing has changed");
        assertThat(run.exitCode()).isEqualTo(ExitCodes.NOT_FOUND);
        assertNothingChanged();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'path': '/a', 'version': '999@1'} | that /a is version 999@1: another version is there",
                "{'path': '/b', 'absent': true} | that nothing is at /b: there is something already",
                "{'path': '/none', 'version': '1@1'} | that /none is version 1@1: no such file or directory"
            },
            quoteCharacter = '`')
    void aPreconditionThatDoesNotHoldIsNamed(String precondition, String message) throws IOException {
        CommandRun run = apply(
                "{'preconditions': [{'path': '/c', 'absent': true}, %s], 'operations': [{'delete': {'path': '/a'}}]}"
                        .formatted(precondition));
        assertThat(run.err())
                .isEqualToIgnoringNewLines("packing: precondition 2 of 2, %s; nothing has changed".formatted(message));
        assertThat(run.exitCode()).isNotZero();
        assertNothingChanged();
    }

    @Test
    void everyKindThatItsHelpNamesIsApplied() throws IOException {
        CommandRun run = apply("""
                {'operations': [
                  {'create': {'path': '/new', 'mode': '600', 'mtime': 123456}},
                  {'attributes': {'path': '/a', 'mtime': 654321}},
                  {'mkdir': {'path': '/x/t1', 'parents': true}}, {'mkdir': {'path': '/x/t2'}}, {'mkdir': {'path': '/x/not'}},
                  {'rename': {'source': '/a', 'destination': '/x/t1/a'}}, {'rename': {'source': '/b', 'destination': '/x/t2/b'}},
                  {'mkdir': {'path': '/out'}}, {'mergeEach': {'source': '/x', 'destination': '/out', 'except': 'not'}},
                  {'mkdir': {'path': '/all'}}, {'cloneDirectory': {'source': '/out', 'destination': '/copy'}},
                  {'merge': {'source': '/out', 'destination': '/all'}}]}
                """);
        assertThat(run.err()).isEmpty();
        assertThat(text("/all/a")).isEqualTo("0123456789");
        assertThat(text("/copy/b")).isEqualTo("abcde");
        assertThat(mount.has("/x")).isFalse();
        assertThat(mount.has("/out")).isFalse();
        assertThat(mtime("/new")).isEqualTo(123_456);
        assertThat(mtime("/all/a")).isEqualTo(654_321);
    }

    private long mtime(String path) throws IOException {
        return mount.bdt().stat(new FilePath(path)).orElseThrow().attributes().mtimeMillis();
    }

    @Test
    void itsHelpNamesEveryOperation() throws Exception {
        String help = CommandRun.of("vector", "--help").out().replaceAll("\\s+", " ");
        String source = Files.readString(Path.of("src/main/java/io/packing/cli/VectorJson.java"));
        List<String> kinds = Pattern.compile("case \"(\\w+)\" ->")
                .matcher(source)
                .results()
                .map(match -> match.group(1))
                .toList();
        assertThat(kinds)
                .contains("clone", "mergeEach", "snapshotRename", "link")
                .hasSize(16);
        assertThat(kinds).allSatisfy(kind -> assertThat(help).containsPattern("\\b" + kind + "\\b"));
    }

    @Test
    void aVectorOfEqualBytesIsAppliedAndOneOfOthersIsNot() throws IOException {
        mount.write("/same", "xx23456".getBytes(StandardCharsets.US_ASCII));
        String vector = """
                {'preconditions': [{'path': '/c', 'absent': true},
                  {'equal': {'source': '/a', 'offset': 2, 'length': 5, 'destination': '/same', 'at': %d}}],
                 'operations': [{'delete': {'path': '/same'}}, {'clone': {'source': '/a', 'destination': '/c'}}]}
                """;
        CommandRun refused = apply(vector.formatted(1));
        assertThat(refused.err())
                .isEqualToIgnoringNewLines(
                        "packing: the bytes of /a[2:7) and of /same[1:6) differ; nothing has changed");
        assertThat(refused.exitCode()).isEqualTo(ExitCodes.FAILED);
        assertNothingChanged();
        assertThat(mount.has("/same")).isTrue();
        CommandRun run = apply(vector.formatted(2));
        assertThat(run.err()).isEmpty();
        assertThat(mount.has("/same")).isFalse();
        assertThat(text("/c")).isEqualTo("0123456789");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'operation': []} | the vector has no field 'operation'",
                "{'operations': []} | a vector without an operation",
                "{'operations': {}} | 'operations' must be a list",
                "{'operations': [{'copy': {}}]} | unknown operation 'copy'",
                "{'operations': [{'delete': {'path': '/a', 'force': true}}]} | delete has no field 'force'",
                "{'operations': [{'delete': {'path': '/a', 'recursive': 'yes'}}]} | 'recursive' must be true or false",
                "{'operations': [{'delete': {}}]} | 'path' must be a text",
                "{'operations': [{'truncate': {'path': '/a', 'length': '5'}}]} | 'length' must be a whole number",
                "{'operations': [{'clone': {'source': '/a', 'destination': '/c', 'length': 5}}]} | 'offset' must be",
                "{'operations': [{'clone': {'source': '/a', 'destination': '/c', 'at': 5}}]} | 'offset' must be",
                "{'operations': [{'clone': {'source': '/a', 'destination': '/b', 'offset': 0, 'length': 1, 'at': '1'}}]}"
                        + " | 'at' must be a whole number",
                "{'operations': [{'clone': {'source': '/a', 'destination': '/b', 'offset': 0, 'length': 1,"
                        + " 'overwrite': true}}]} | 'overwrite' is for whole files",
                "{'operations': [{'attributes': {'path': '/a', 'mode': '9z'}}]} | mode '9z': want an octal number",
                "{'preconditions': [{'path': '/a', 'version': 'x@y'}], 'operations': [{'delete': {'path': '/a'}}]}"
                        + " | version 'x@y': want id@generation",
                "{'preconditions': [{'equal': {'source': '/a', 'destination': '/b'}}], 'operations': [{'delete': {'path': '/a'}}]}"
                        + " | 'offset' must be a whole number",
                "{'preconditions': [{'equal': {}, 'path': '/a'}], 'operations': [{'delete': {'path': '/a'}}]}"
                        + " | a precondition of equal bytes has no field 'path'",
                "{'operations': [{'clone': {'source': 'packing://m/x', 'destination': '/c'}}]} | packing://m/x is an address",
                "{'operations': [{'delete': {'path': '/a'}}]} {} | Trailing token"
            },
            quoteCharacter = '`')
    void aVectorThatCannotBeReadIsAWrongUseAndNamesTheFault(String json, String message) throws IOException {
        CommandRun run = apply(json);
        assertThat(run.err()).startsWith("packing: ").contains(message);
        assertThat(run.exitCode()).isEqualTo(ExitCodes.USAGE);
        assertNothingChanged();
    }

    @Test
    void whatIsNoJsonIsAWrongUseWithItsPlace() throws IOException {
        CommandRun run = apply("{'operations': [\n{]}");
        assertThat(run.err())
                .startsWith("packing: " + directory.resolve("vector.json") + ": no JSON: ")
                .contains("line 2");
        assertThat(run.exitCode()).isEqualTo(ExitCodes.USAGE);
    }

    @Test
    void aFileThatIsNotThereIsNotFound() {
        CommandRun run = mount.run("vector", directory.resolve("none").toString());
        assertThat(run.err()).contains("none: no such file");
        assertThat(run.exitCode()).isEqualTo(ExitCodes.NOT_FOUND);
    }
}
