// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.seed.Seed;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the commands for files of a user without Hadoop. */
class FileCommandsTest {
    @TempDir
    Path home;

    private CommandMount mount;
    private String uri = "";

    @BeforeEach
    void start() throws IOException {
        mount = CommandMount.start(home);
        uri = "packing://" + mount.master();
    }

    @AfterEach
    void stop() throws IOException {
        mount.close();
    }

    private static CommandRun run(String... words) {
        return CommandRun.of(Map.of(), words);
    }

    private static CommandRun done(String... words) {
        CommandRun run = run(words);
        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        return run;
    }

    private Path local(String name, String text) throws IOException {
        return Files.writeString(home.resolve(name), text);
    }

    private static byte[] output(String... words) {
        PrintStream before = System.out;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
            CommandRun unused = done(words);
        } finally {
            System.setOut(before);
        }
        return bytes.toByteArray();
    }

    @Test
    void aFileIsPutListedReadAndFetched() throws IOException {
        Path hello = local("hello.txt", "hello\n");
        assertThat(done("put", hello.toString(), uri + "/a/b/hello.txt").out()).isEqualTo("/a/b/hello.txt: 6 bytes\n");
        assertThat(done("ls", uri + "/a/b").out()).contains(" buffered ", "/a/b/hello.txt");
        assertThat(done("ls", uri + "/a/b/hello.txt").out()).contains("/a/b/hello.txt");
        assertThat(done("stat", uri + "/a/b/hello.txt").out()).contains("644 buffered");
        assertThat(output("cat", uri + "/a/b/hello.txt", uri + "/a/b/hello.txt"))
                .asString(StandardCharsets.UTF_8)
                .isEqualTo("hello\nhello\n");
        Path back = home.resolve("back.txt");
        assertThat(done("get", uri + "/a/b/hello.txt", back.toString()).out()).contains("6 bytes from /a/b/hello.txt");
        assertThat(back).hasContent("hello\n");
        assertThat(home.resolve("back.txt.part")).doesNotExist();
    }

    @Test
    void bytesOfALargeFileComeBackAsTheyWere() throws IOException {
        byte[] bytes = new byte[11 << 20];
        Seed.random().nextBytes(bytes);
        Path large = Files.write(home.resolve("large"), bytes);
        CommandRun unused = done("put", "--flush", large.toString(), uri + "/large");
        assertThat(done("locate", uri + "/large").out()).contains("/large: packed");
        CommandRun fetched = done("get", uri + "/large", home.resolve("again").toString());
        assertThat(fetched.out()).contains("11,534,336 bytes");
        assertThat(home.resolve("again")).hasBinaryContent(bytes);
    }

    @Test
    void aFileGoesIntoADirectoryUnderItsName() throws IOException {
        Path hello = local("hello.txt", "hello\n");
        CommandRun unused = done("mkdir", uri + "/d");
        assertThat(done("put", hello.toString(), uri + "/d").out()).startsWith("/d/hello.txt:");
        Path folder = Files.createDirectory(home.resolve("folder"));
        CommandRun fetched = done("get", uri + "/d/hello.txt", folder.toString());
        assertThat(fetched.exitCode()).isZero();
        assertThat(folder.resolve("hello.txt")).hasContent("hello\n");
    }

    @Test
    void whatIsThereStaysWithoutOverwrite() throws IOException {
        Path hello = local("hello.txt", "hello\n");
        CommandRun unused = done("put", hello.toString(), uri + "/f");
        Path other = local("other.txt", "other\n");
        CommandRun refused = run("put", other.toString(), uri + "/f");
        assertThat(refused.exitCode()).isEqualTo(ExitCodes.FAILED);
        assertThat(refused.err()).contains("/f", "it is there already", "--overwrite");
        assertThat(mount.read("/f")).asString(StandardCharsets.UTF_8).isEqualTo("hello\n");
        CommandRun replaced = done("put", "--overwrite", other.toString(), uri + "/f");
        assertThat(replaced.out()).contains("6 bytes");
        CommandRun kept = run("get", uri + "/f", hello.toString());
        assertThat(kept.exitCode()).isEqualTo(ExitCodes.USAGE);
        assertThat(kept.err()).contains("is there already", "--overwrite");
        assertThat(hello).hasContent("hello\n");
        assertThat(done("get", "--overwrite", uri + "/f", hello.toString()).exitCode())
                .isZero();
        assertThat(hello).hasContent("other\n");
    }

    @Test
    void directoriesAreMadeMovedAndRemoved() throws IOException {
        CommandRun deep = run("mkdir", uri + "/a/b/c");
        assertThat(deep.exitCode()).isEqualTo(ExitCodes.NOT_FOUND);
        assertThat(deep.err()).contains("add --parents");
        CommandRun made = done("mkdir", "--parents", uri + "/a/b/c");
        assertThat(made.out()).isEqualTo("/a/b/c\n");
        assertThat(run("mkdir", uri + "/a").err()).contains("/a: there is something already");
        assertThat(done("mkdir", "--parents", uri + "/a").exitCode()).isZero();
        CommandRun moved = done("mv", uri + "/a/b", uri + "/x");
        assertThat(moved.out()).contains("done in");
        CommandRun full = run("rm", uri + "/x");
        assertThat(full.exitCode()).isEqualTo(ExitCodes.FAILED);
        assertThat(full.err()).contains("--recursive");
        assertThat(done("rm", "--recursive", uri + "/x", uri + "/a").out()).isEqualTo("/x: deleted\n/a: deleted\n");
        assertThat(mount.has("/x")).isFalse();
    }

    @Test
    void whatIsMissingIsTold() {
        for (String[] words : List.of(
                new String[] {"ls", uri + "/no"},
                new String[] {"stat", uri + "/no"},
                new String[] {"locate", uri + "/no"},
                new String[] {"cat", uri + "/no"},
                new String[] {"get", uri + "/no", home.resolve("no").toString()},
                new String[] {"rm", uri + "/no"},
                new String[] {"put", home.resolve("absent").toString(), uri + "/no"})) {
            CommandRun missing = run(words);
            assertThat(missing.exitCode()).as(words[0]).isEqualTo(ExitCodes.NOT_FOUND);
            assertThat(missing.err()).as(words[0]).contains("no such file");
        }
        assertThat(home.resolve("no")).doesNotExist();
    }

    @Test
    void treesAreForCopy() {
        for (List<String> words : List.of(
                List.of("cat", uri + "/"), List.of("get", uri + "/"), List.of("put", home.toString(), uri + "/"))) {
            CommandRun refused = run(new ArrayList<>(words).toArray(String[]::new));
            assertThat(refused.exitCode()).isEqualTo(ExitCodes.USAGE);
            assertThat(refused.err()).contains("is a directory", "packing copy");
        }
    }
}
