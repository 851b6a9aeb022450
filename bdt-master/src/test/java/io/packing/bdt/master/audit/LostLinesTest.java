// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class LostLinesTest {
    @Test
    void eachLostFileThatIsFoundHasItsLine() {
        List<String> lines = new CopyOnWriteArrayList<>();
        try (AuditLog log = new AuditLog(lines::add)) {
            log.lost("mount-1", List.of("/a", "/b\nallowed=true"));
        }
        assertThat(lines).hasSize(2);
        assertThat(lines.get(0)).contains("ugi=bdt-master (auth:NONE)", "ip=mount-1", "cmd=lost", "src=/a");
        assertThat(lines.get(1)).contains("src=/b\\u000aallowed=true");
    }
}
