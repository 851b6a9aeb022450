// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.packing.blob.FilePath;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests of the command line of a mount's server. */
class ServerArgumentsTest {
    private static final ServerArguments ALL = new ServerArguments(
            "a:1,b:2",
            new FilePath("/a=b/c d"),
            Path.of("/mnt/x=y"),
            Path.of("/tmp/state"),
            true,
            Duration.ofSeconds(5),
            Map.of("packing.store", "file:///s=t", "packing.threads", "2"));

    @Test
    void theWordsMeanTheSameInEveryOrder() {
        List<String> words = new ArrayList<>(ALL.words());
        assertThat(ServerArguments.parse(words.toArray(String[]::new))).isEqualTo(ALL);
        Collections.reverse(words);
        assertThat(ServerArguments.parse(words.toArray(String[]::new))).isEqualTo(ALL);
    }

    @Test
    void whatIsMissingOrUnknownIsNamed() {
        for (String word : ALL.words()) {
            if (word.startsWith("option:")) {
                continue;
            }
            List<String> without = new ArrayList<>(ALL.words());
            without.remove(word);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> ServerArguments.parse(without.toArray(String[]::new)))
                    .withMessage("%s is missing", word.split("=", 2)[0]);
        }
        List<String> more = new ArrayList<>(ALL.words());
        more.add("colour=blue");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ServerArguments.parse(more.toArray(String[]::new)))
                .withMessage("unknown: colour");
    }

    @Test
    void anOptionThatIsThereStays() {
        assertThat(ALL.withDefault("packing.threads", "9").options()).containsEntry("packing.threads", "2");
        assertThat(ALL.withDefault("packing.policy", "size").options()).containsEntry("packing.policy", "size");
    }
}
