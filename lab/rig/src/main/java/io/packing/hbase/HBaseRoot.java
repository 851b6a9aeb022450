package io.packing.hbase;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Where an HBase keeps its files.
 *
 * @param setup of the processes
 * @param uri its root directory
 * @param settings with which clients reach the file system of the root
 * @param classPath what they need for that beside Hadoop's jars
 */
public record HBaseRoot(Setup setup, String uri, Map<String, String> settings, List<Path> classPath) {
    public HBaseRoot {
        settings = Map.copyOf(settings);
        classPath = List.copyOf(classPath);
    }

    /** {@link HBaseCluster#ROOT} in HDFS. */
    static HBaseRoot in(HdfsCluster hdfs) {
        return new HBaseRoot(hdfs.setup(), hdfs.uri() + HBaseCluster.ROOT, hdfs.clientSettings(), List.of());
    }
}
