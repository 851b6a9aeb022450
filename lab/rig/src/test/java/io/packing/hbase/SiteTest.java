// SPDX-License-Identifier: Apache-2.0
package io.packing.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SiteTest {
    @TempDir
    Path folder;

    @Test
    void hadoopReadsWhatIsWritten() throws Exception {
        Site.write(folder, Map.of("a.key", "x<y&z", "b.key", "hdfs://127.0.0.1:1/"));
        for (String file : new String[] {"core-site.xml", "hdfs-site.xml", "hbase-site.xml", "mapred-site.xml"}) {
            Configuration conf = new Configuration(false);
            conf.addResource(folder.resolve(file).toUri().toURL());
            assertThat(conf.get("a.key")).isEqualTo("x<y&z");
            assertThat(conf.get("b.key")).isEqualTo("hdfs://127.0.0.1:1/");
        }
    }
}
