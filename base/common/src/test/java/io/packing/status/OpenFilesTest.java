// SPDX-License-Identifier: Apache-2.0
package io.packing.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class OpenFilesTest {
    private final List<String> warnings = new ArrayList<>();

    @Test
    void aDaemonThatCouldNotAcceptCallersDoesNotStartAndNamesBothNumbers() {
        assertThatThrownBy(() -> OpenFiles.check("the BDT master", OptionalLong.of(256), warnings::add))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the BDT master may have 256 files")
                .hasMessageContaining("needs 1024")
                .hasMessageContaining("ulimit -n");
        assertThat(warnings).isEmpty();
    }

    @Test
    void aLimitThatMayNotSufficeForLongIsWarnedOf() throws IOException {
        OpenFiles.check("worker w", OptionalLong.of(OpenFiles.NEEDED), warnings::add);
        assertThat(warnings).singleElement().asString().contains("worker w may have 1024", "65536");
        OpenFiles.check("worker w", OptionalLong.of(OpenFiles.AMPLE), warnings::add);
        assertThat(warnings).hasSize(1);
    }

    @Test
    void aSystemThatDoesNotTellIsTrusted() {
        assertThatCode(() -> OpenFiles.check("worker w", OptionalLong.empty(), warnings::add))
                .doesNotThrowAnyException();
    }

    @Test
    void unixTellsTheLimitOfThisProcess() {
        assertThat(OpenFiles.limit()).isPresent();
        assertThat(OpenFiles.limit().getAsLong()).isPositive();
    }
}
