package io.packing.htfs;

import java.io.IOException;
import org.apache.hadoop.fs.BulkDelete;
import org.apache.hadoop.fs.Path;

/**
 * Traces any Hadoop file system: {@code fs.SCHEME.impl} names this class, and {@code htfs.underlying.SCHEME.impl} (or
 * {@code htfs.underlying.impl}) the one that is traced. Every call goes to it, and fails as it fails there. For HDFS there
 * is {@code org.apache.hadoop.hdfs.TracingDistributedFileSystem}, since HBase's servers cast to the class of the real one.
 */
public class TracingFileSystem extends Hadoop33TracingFileSystem {
    public TracingFileSystem() {}

    @Override
    public BulkDelete createBulkDelete(Path base) throws IOException {
        return TracedBulkDelete.over(fs.createBulkDelete(base), calls);
    }
}
