// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests of {@code packing write-at} for a user with only its help. */
@Timeout(120)
class WriteAtCommandTest {
    @TempDir
    private Path directory = Path.of("");

    private CommandMount mount;

    @BeforeEach
    void start() throws IOException {
        mount = CommandMount.start(directory);
        mount.write("/a", "0123456789".getBytes(StandardCharsets.US_ASCII));
    }

    @AfterEach
    void stop() throws IOException {
        mount.close();
    }

    private CommandRun write(String text, String... words) throws IOException {
        Path file = Files.writeString(directory.resolve("bytes"), text);
        String[] all = new String[words.length + 1];
        System.arraycopy(words, 0, all, 0, words.length);
        all[words.length] = file.toString();
        return mount.run("write-at", all);
    }

    private String text(String path) throws IOException {
        return new String(mount.read(path), StandardCharsets.US_ASCII).replace('\0', '.');
    }

    @Test
    void theBytesOfALocalFileTakeTheirPlaceAndACloneKeepsTheOldOnes() throws IOException {
        assertThat(mount.run("clone", "/a", "/b").exitCode()).isZero();
        CommandRun run = write("xyz", "--offset", "4", "/a");
        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).startsWith("wrote 3 bytes at offset 4 of /a in ");
        assertThat(text("/a")).isEqualTo("0123xyz789");
        assertThat(text("/b")).isEqualTo("0123456789");
        JsonNode json = new ObjectMapper()
                .readTree(write("end", "--json", "--offset", "12", "/a").out());
        assertThat(json.get("bytes").asLong()).isEqualTo(3);
        assertThat(json.get("offset").asLong()).isEqualTo(12);
        assertThat(text("/a")).isEqualTo("0123xyz789..end");
    }

    @Test
    void whatCannotBeWrittenIsSaidAndNothingChanges() throws IOException {
        CommandRun none = write("xyz", "--offset", "0", "/none");
        assertThat(none.err()).isEqualToIgnoringNewLines("packing: /none: no such file; nothing was written");
        assertThat(none.exitCode()).isEqualTo(ExitCodes.NOT_FOUND);
        assertThat(mount.has("/none")).isFalse();
        assertThat(mount.run(
                                "write-at",
                                "--offset",
                                "0",
                                "/a",
                                directory.resolve("no").toString())
                        .exitCode())
                .isEqualTo(ExitCodes.NOT_FOUND);
        assertThat(mount.run("write-at", "/a", directory.resolve("no").toString())
                        .exitCode())
                .isEqualTo(ExitCodes.USAGE);
        assertThat(write("xyz", "--offset", "0", "file:///a").exitCode()).isEqualTo(ExitCodes.USAGE);
        // A directory is no file that could be read.
        assertThat(mount.run("write-at", "--offset", "0", "/a", directory.toString())
                        .exitCode())
                .isEqualTo(ExitCodes.FAILED);
        assertThat(text("/a")).isEqualTo("0123456789");
    }
}
