// SPDX-License-Identifier: Apache-2.0
package io.packing.htfs;

import java.io.IOException;
import org.apache.hadoop.fs.BulkDelete;
import org.apache.hadoop.fs.Path;

/**
 * A tracer of any Hadoop file system: {@code fs.SCHEME.impl} names this class, and {@code htfs.underlying.SCHEME.impl}
 * (or {@code htfs.underlying.impl}) the traced one. Every call goes to that, and fails as it fails there. HDFS has
 * {@code org.apache.hadoop.hdfs.TracingDistributedFileSystem} instead, since HBase's servers cast to HDFS's class.
 */
public class TracingFileSystem extends Hadoop33TracingFileSystem {
    public TracingFileSystem() {}

    @Override
    public BulkDelete createBulkDelete(Path base) throws IOException {
        return TracedBulkDelete.over(fs.createBulkDelete(base), calls);
    }
}
