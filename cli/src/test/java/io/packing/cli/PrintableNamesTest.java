// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Names with characters that a terminal obeys: a user of the mount chose them, and an operator lists them. */
class PrintableNamesTest {
    /** Clears the screen, fakes a line, and turns the direction of what follows. */
    private static final String NAME = "/d/\u001b[2J\u009b31m\r\n644 packed root root 1  fake\u202etxt";

    private static final String SHOWN = "/d/\\u001b[2J\\u009b31m\\u000d\\u000a644 packed root root 1  fake\\u202etxt";

    @TempDir
    Path home;

    private CommandMount mount;

    @BeforeEach
    void start() throws IOException {
        mount = CommandMount.start(home);
        mount.write(NAME, new byte[] {1});
    }

    @AfterEach
    void stop() throws IOException {
        mount.close();
    }

    private String text(String command, String... words) {
        String out = mount.run(command, words).out();
        assertThat(out.codePoints().filter(c -> c != '\n' && (Character.isISOControl(c) || c == 0x202e)))
                .as("%s: %s", command, out)
                .isEmpty();
        return out;
    }

    @Test
    void namesDoNotControlTheTerminalOfAnOperator() throws IOException {
        assertThat(text("ls", "/d")).endsWith(SHOWN + System.lineSeparator()).hasLineCount(1);
        assertThat(text("stat", NAME)).endsWith(SHOWN + System.lineSeparator());
        assertThat(text("locate", NAME)).contains(SHOWN + ":");
        assertThat(text("du", "/")).isNotEmpty();
        assertThat(text("snapshot create", "/d", "s\u0007")).isNotNull();
        assertThat(text("rm", NAME)).isEqualTo(SHOWN + ": deleted" + System.lineSeparator());
        CommandRun missing = mount.run("stat", NAME);
        assertThat(missing.exitCode()).isNotZero();
        assertThat(missing.err()).contains("\\u001b[2J").doesNotContain("\u001b", "\u009b", "\r");
    }

    @Test
    void theJsonFormHasTheNamesExactly() throws IOException {
        JsonNode listed =
                new ObjectMapper().readTree(mount.run("ls", "/d", "--json").out());
        assertThat(listed.get(0).get("path").asText()).isEqualTo(NAME);
    }

    @Test
    void whatIsPrintedInSeveralWaysIsEscapedOnceAndLinesEnd() {
        StringWriter shown = new StringWriter();
        PrintWriter out = new PrintableWriter(new PrintWriter(shown));
        out.printf("%s %d %,d %c %-6s|%n", "a\tb", 1, 2_000L, 'x', "\u0000");
        out.println(List.of("c\u007f"));
        out.print("d\n");
        out.println("plain ä \\u0041 😀");
        assertThat(shown.toString().lines())
                .containsExactly("a\\u0009b 1 2,000 x \\u0000|", "[c\\u007f]", "d\\u000aplain ä \\u0041 😀");
    }
}
