// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.packing.trace.Call;
import io.packing.trace.TraceEvent;
import io.packing.trace.TraceEventBuilder;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AnonymizerTest {
    private static final byte[] KEY = "0123456789abcdef".getBytes(StandardCharsets.UTF_8);

    private static String path(byte[] key, String path) {
        return new Anonymizer(key, Set.of("hbase", "actions"), false)
                .anonymize(Samples.event(Call.OPEN, 0).path(path).build())
                .path();
    }

    @Test
    void keptNamesAndExtensionsStayAndDepthDoes() {
        String hidden = path(KEY, "/hbase/secret/actions/report.parquet");
        assertThat(hidden).matches("/hbase/[0-9a-f]{12}/actions/[0-9a-f]{12}\\.parquet");
        assertThat(hidden).doesNotContain("secret", "report");
    }

    @Test
    void equalNamesStayEqualAndOthersDiffer() {
        assertThat(path(KEY, "/a/x")).isEqualTo(path(KEY, "/a/x")).isNotEqualTo(path(KEY, "/a/y"));
        String[] parts = path(KEY, "/a/b/a").split("/", -1);
        assertThat(parts[1]).isEqualTo(parts[3]).isNotEqualTo(parts[2]);
    }

    @Test
    void anotherKeyGivesOtherNames() {
        byte[] other = "fedcba9876543210".getBytes(StandardCharsets.UTF_8);
        assertThat(path(other, "/a")).isNotEqualTo(path(KEY, "/a"));
    }

    @Test
    void everythingButNamesStays() {
        Anonymizer anonymizer = new Anonymizer(KEY, Set.of(), true);
        for (TraceEvent event : Samples.all()) {
            TraceEvent hidden = anonymizer.anonymize(event);
            assertThat(hidden)
                    .usingRecursiveComparison()
                    .ignoringFields("origin.host", "path", "target", "thread", "user", "context")
                    .isEqualTo(event);
            assertThat(hidden.origin().host()).isNotEqualTo(event.origin().host());
        }
    }

    @Test
    void whatSystemCallsNameOfTheKernelAndRelativeNamesStay() {
        Anonymizer anonymizer = new Anonymizer(KEY, Set.of("save"), false);
        TraceEvent status = anonymizer.anonymize(new TraceEventBuilder(Call.SYS_OPENAT)
                .path("/proc/self/status")
                .caller("7", "", "save")
                .build());
        assertThat(status.path()).matches("/proc/[0-9a-f]{12}/[0-9a-f]{12}");
        assertThat(status.context()).isEqualTo("save");
        TraceEvent link = anonymizer.anonymize(new TraceEventBuilder(Call.SYS_SYMLINK)
                .path("/home/proc/a.db-wal")
                .target("../b/./c")
                .build());
        assertThat(link.path()).matches("/[0-9a-f]{12}/[0-9a-f]{12}/[0-9a-f]{12}\\.db-wal");
        assertThat(link.target()).matches("\\.\\./[0-9a-f]{12}/\\./[0-9a-f]{12}");
    }

    @Test
    void aShortKeyIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Anonymizer(new byte[15], Set.of(), false));
    }
}
