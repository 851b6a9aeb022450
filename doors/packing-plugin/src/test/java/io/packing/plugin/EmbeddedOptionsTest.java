// SPDX-License-Identifier: Apache-2.0
package io.packing.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Options that mean something to a BDT master by itself, and nothing to one inside Alluxio. */
final class EmbeddedOptionsTest {
    @TempDir
    private Path home;

    private Map<String, String> with(Map<String, String> more) {
        Map<String, String> all = new HashMap<>(Map.of("bdt.data.dir", home.toString(), "bdt.port", "0"));
        all.putAll(more);
        return all;
    }

    @Test
    void optionsOfGroupsAreRefusedWithWhatToDo() {
        for (Map<String, String> ofGroups : List.of(
                Map.of("bdt.raft.peers", "a=127.0.0.1:1,b=127.0.0.1:2", "bdt.raft.id", "a"),
                Map.of("bdt.raft.lease", "1s"),
                Map.of("bdt.raft.join", "true"))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> EmbeddedBdtMaster.checked(with(ofGroups)))
                    .withMessageContaining(
                            ofGroups.keySet().stream().sorted().findFirst().orElseThrow())
                    .withMessageContaining("take")
                    .withMessageContaining("packing bdt-master");
        }
    }

    @Test
    void optionsOfTlsAreRefusedWithWhatToDo() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EmbeddedBdtMaster.checked(
                        with(Map.of("bdt.tls.trust", "t", "bdt.tls.certificate", "c", "bdt.tls.key", "k"))))
                .withMessageContaining("bdt.tls.*");
        assertThat(EmbeddedBdtMaster.checked(with(Map.of())).port()).isZero();
    }
}
