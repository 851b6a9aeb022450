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
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The example of docs/java-client.md is what runs here, and does what it says. */
@Timeout(120)
class JavaClientExampleTest {
    @TempDir
    private Path directory = Path.of("");

    @Test
    void theExampleRunsAgainstAMount() throws IOException {
        try (CommandMount mount = CommandMount.start(directory)) {
            JavaClientExample.run(mount.master(), mount.store());
            assertThat(new String(mount.read("/data/report"), StandardCharsets.UTF_8))
                    .isEqualTo("first draft");
            assertThat(mount.bdt().list(new FilePath("/data"), "", 10).orElse(List.of()))
                    .extracting(status -> status.path().name())
                    .containsExactly("report");
            assertThat(mount.has("/data/.snapshot/monday/report")).isTrue();
        }
    }

    @Test
    void theDocumentHasTheLinesThatRun() throws IOException {
        String source = Files.readString(Path.of("src/test/java/io/packing/cli/JavaClientExample.java"));
        List<String> parts = Pattern.compile("// begin\n(.*?)\n *// end", Pattern.DOTALL)
                .matcher(source)
                .results()
                .map(part -> part.group(1).stripIndent())
                .toList();
        assertThat(parts).hasSize(2);
        String document = Files.readString(Path.of("../docs/java-client.md"));
        String shown = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL)
                .matcher(document)
                .results()
                .map(block -> block.group(1).strip())
                .collect(Collectors.joining("\n\n"));
        assertThat(shown).isEqualTo(parts.stream().map(String::strip).collect(Collectors.joining("\n\n")));
    }
}
