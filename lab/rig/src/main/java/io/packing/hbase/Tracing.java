// SPDX-License-Identifier: Apache-2.0
package io.packing.hbase;

import io.packing.process.ClassPaths;
import io.packing.trace.TraceEvent;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The tracing of processes by HTFS: the tracer's class path and configuration (docs/tracing.md).
 *
 * @param classPath the tracer's jars or folders
 * @param directory of the trace files
 */
public record Tracing(List<Path> classPath, Path directory) {
    /** The traced HDFS. The class is in Hadoop's own package, so that HBase's casts hold. */
    static final String FILE_SYSTEM = "org.apache.hadoop.hdfs.TracingDistributedFileSystem";

    /** The traced HDFS for programs that use FileContext. */
    static final String FILE_CONTEXT = "io.packing.htfs.TracingAbstractFileSystem";

    /** The class with which the tracer reads its configuration. */
    private static final String OPTIONS = "io.packing.options.Options";

    public Tracing {
        if (classPath.isEmpty()) {
            throw new IllegalArgumentException("no class path of the tracer");
        }
        classPath = classPath.stream().map(Path::toAbsolutePath).toList();
        directory = directory.toAbsolutePath();
    }

    /** Returns the tracing with the tracer on this program's class path. */
    public static Tracing into(Path directory) {
        return new Tracing(
                List.of(ClassPaths.of(FILE_SYSTEM), ClassPaths.of(TraceEvent.class), ClassPaths.of(OPTIONS)),
                directory);
    }

    /** Returns the configuration of one traced process. */
    Map<String, String> settings(String process) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("fs.hdfs.impl", FILE_SYSTEM);
        settings.put("fs.AbstractFileSystem.hdfs.impl", FILE_CONTEXT);
        settings.put("htfs.dir", directory.toString());
        settings.put("htfs.process", process);
        return settings;
    }
}
