// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Flags of earlier versions work, and one line says what replaces them. */
class FlagsBeforeTest {
    private final StringWriter err = new StringWriter();

    private List<String> replaced(String words) {
        return FlagsBefore.replaced(List.of(words.split(" ", -1)), new PrintWriter(err));
    }

    @Test
    void aFlagOfBeforeIsTheOneOfNow() {
        assertThat(replaced("load --bytes --from=packing.store=file:///x dump"))
                .containsExactly("load", "--copy-bytes", "--source-option=packing.store=file:///x", "dump");
        assertThat(err.toString().lines())
                .containsExactly(
                        "packing: --bytes is taken for this version only; use --copy-bytes",
                        "packing: --from is taken for this version only; use --source-option");
        assertThat(replaced("blob extract b --to d")).containsExactly("blob", "extract", "b", "--out", "d");
    }

    @Test
    void aFlagOfAnotherCommandStays() {
        assertThat(replaced("quota set --bytes 1GB /d")).containsExactly("quota", "set", "--bytes", "1GB", "/d");
        assertThat(replaced("trace convert --to JSONL")).containsExactly("trace", "convert", "--to", "JSONL");
        assertThat(err.toString()).isEmpty();
    }
}
