package io.packing.hbase;

import io.packing.process.ClassPaths;
import io.packing.trace.TraceEvent;
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

    /** The same for users of FileContext. */
    static final String FILE_CONTEXT = "io.packing.htfs.TracingAbstractFileSystem";

    /** The tracer reads its configuration with these. */
    private static final String OPTIONS = "io.packing.options.Options";

    public Tracing {
        if (classPath.isEmpty()) {
            throw new IllegalArgumentException("no class path of the tracer");
        }
        classPath = classPath.stream().map(Path::toAbsolutePath).toList();
        directory = directory.toAbsolutePath();
    }

    /** With the tracer that this program has on its own class path. */
    public static Tracing into(Path directory) {
        return new Tracing(
                List.of(ClassPaths.of(FILE_SYSTEM), ClassPaths.of(TraceEvent.class), ClassPaths.of(OPTIONS)),
                directory);
    }

    /** The configuration of one traced process. */
    Map<String, String> settings(String process) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("fs.hdfs.impl", FILE_SYSTEM);
        settings.put("fs.AbstractFileSystem.hdfs.impl", FILE_CONTEXT);
        settings.put("htfs.dir", directory.toString());
        settings.put("htfs.process", process);
        return settings;
    }
}
