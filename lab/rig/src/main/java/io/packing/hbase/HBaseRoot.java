// SPDX-License-Identifier: Apache-2.0
package io.packing.hbase;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The root directory of an HBase, and the way to its file system.
 *
 * @param setup of the processes
 * @param uri of the root directory
 * @param settings with which clients reach the root's file system
 * @param classPath of these clients, without Hadoop's jars
 */
public record HBaseRoot(Setup setup, String uri, Map<String, String> settings, List<Path> classPath) {
    public HBaseRoot {
        settings = Map.copyOf(settings);
        classPath = List.copyOf(classPath);
    }

    /** Returns {@link HBaseCluster#ROOT} in HDFS. */
    public static HBaseRoot in(HdfsCluster hdfs) {
        return new HBaseRoot(hdfs.setup(), hdfs.uri() + HBaseCluster.ROOT, hdfs.clientSettings(), List.of());
    }

    /** Returns this root with more settings. */
    public HBaseRoot with(Map<String, String> more) {
        Map<String, String> all = new HashMap<>(settings);
        all.putAll(more);
        return new HBaseRoot(setup, uri, all, classPath);
    }
}
