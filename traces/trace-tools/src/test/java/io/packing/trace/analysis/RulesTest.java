// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.ConfigFactory;
import org.junit.jupiter.api.Test;

class RulesTest {
    private static final String REGION = "0123456789abcdef0123456789abcdef";

    @Test
    void filesOfHBaseAreKnownUnderAllTheirNames() {
        Rules rules = Rules.hbase();
        FileClass store = new FileClass("store", "Keywords");
        assertThat(rules.classify("/hbase/data/default/messages/" + REGION + "/Keywords/abc"))
                .isEqualTo(store);
        assertThat(rules.classify("/hbase/data/default/messages/" + REGION + "/.tmp/Keywords/abc"))
                .isEqualTo(store);
        assertThat(rules.classify("/hbase/archive/data/default/messages/" + REGION + "/Keywords/abc"))
                .isEqualTo(store);
        FileClass log = new FileClass("log", "log");
        assertThat(rules.classify("/hbase/WALs/h,16020,1/h%2C16020%2C1.2")).isEqualTo(log);
        assertThat(rules.classify("/hbase/oldWALs/h%2C16020%2C1.2")).isEqualTo(log);
        assertThat(rules.classify("/hbase/data/default/messages/" + REGION + "/recovered.edits/0002"))
                .isEqualTo(new FileClass("recovered", "recovered"));
        assertThat(rules.classify("/tmp/x")).isEqualTo(FileClass.UNCLASSIFIED);
    }

    @Test
    void threadsOfHBaseTellTheCause() {
        assertThat(cause("log", "regionserver/h:16020.append-pool-0", false)).isEqualTo("logging");
        assertThat(cause("store", "MemStoreFlusher.0", false)).isEqualTo("flush");
        assertThat(cause("store", "RS_FLUSH_OPERATIONS-regionserver/h:16020-0", false))
                .isEqualTo("flush");
        assertThat(cause("store", "regionserver/h:16020-longCompactions-1", true))
                .isEqualTo("compaction");
        assertThat(cause("store", RegionServer.HANDLER, true)).isEqualTo("get");
        assertThat(cause("recovered", "RS_LOG_REPLAY_OPS-regionserver/h:16020-0", false))
                .isEqualTo("recovery");
        assertThat(cause("store", "main", false)).isEqualTo(Rules.UNCLASSIFIED);
    }

    @Test
    void whatIsMisspeltIsNamed() {
        refused("files = [], causes = [], core = [], cors = []", "cors");
        refused("files = [ { path = \"x\", typ = a, family = b } ], causes = [], core = []", "typ");
        refused("files = [ { path = \"x\", type = a } ], causes = [], core = []", "family");
        refused("files = [ { path = \"(\", type = a, family = b } ], causes = [], core = []", "(");
        refused("files = [], causes = [ { io = reed, cause = x } ], core = []", "reed");
        refused("files = [], causes = [], core = [ get ]", "get");
    }

    private static void refused(String text, String named) {
        assertThatThrownBy(() -> Rules.from(ConfigFactory.parseString(text)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(named);
    }

    private static String cause(String type, String thread, boolean reads) {
        Rules rules = Rules.hbase();
        return rules.causes().get(rules.cause(type, thread, reads));
    }
}
