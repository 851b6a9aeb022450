package io.packing.hbase;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How processes are traced by HTFS: what goes on their class path and into their configuration (docs/tracing.md).
 *
 * @param classPath the tracer's jars or folders
 * @param directory where the trace files go
 */
public record Tracing(List<Path> classPath, Path directory) {
    /** The traced HDFS: a class of Hadoop's own package, so that HBase's casts hold. */
    static final String FILE_SYSTEM = "org.apache.hadoop.hdfs.TracingDistributedFileSystem";

    public Tracing {
        if (classPath.isEmpty()) {
            throw new IllegalArgumentException("no class path of the tracer");
        }
        classPath = classPath.stream().map(Path::toAbsolutePath).toList();
        directory = directory.toAbsolutePath();
    }

    /** The configuration of one traced process. */
    Map<String, String> settings(String process) {
        var settings = new LinkedHashMap<String, String>();
        settings.put("fs.hdfs.impl", FILE_SYSTEM);
        settings.put("htfs.dir", directory.toString());
        settings.put("htfs.process", process);
        return settings;
    }
}
