// SPDX-License-Identifier: Apache-2.0
package io.packing.durable;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DurableFileTest {
    @TempDir
    Path temp;

    @Test
    void aTextReplacesTheOneBeforeIt() throws IOException {
        DurableFile.write(temp, "name", "a long text, größer\n");
        DurableFile.write(temp, "name", "short");
        assertThat(temp.resolve("name")).hasContent("short");
    }

    @Test
    void whatACrashLeftHalfWrittenIsWrittenOver() throws IOException {
        Files.writeString(temp.resolve("name.new"), "half of something long");
        DurableFile.write(temp, "name", "whole");
        assertThat(temp.resolve("name")).hasContent("whole");
        try (Stream<Path> files = Files.list(temp)) {
            assertThat(files).containsExactly(temp.resolve("name"));
        }
    }
}
