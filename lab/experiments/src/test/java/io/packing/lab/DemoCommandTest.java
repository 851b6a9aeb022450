// SPDX-License-Identifier: Apache-2.0
package io.packing.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.cli.Report;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** A test of the last lines of the demonstration, as its writer of results shows them. */
class DemoCommandTest {
    @Command(name = "shown")
    private static final class Shown {
        @Mixin
        private Report report = new Report();
    }

    @Test
    void eachHintIsALine() {
        StringWriter text = new StringWriter();
        Shown shown = new Shown();
        CommandLine unused = new CommandLine(shown).setOut(new PrintWriter(text));
        PrintWriter out = shown.report.text();
        DemoCommand.printNext(out);
        out.flush();
        assertThat(text.toString())
                .startsWith("Try next:")
                .doesNotContain("u000a")
                .hasLineCount(5);
    }
}
