package io.packing.htfs;

import io.packing.htfs.record.Caller;
import io.packing.htfs.record.Drain;
import io.packing.htfs.record.Recorder;
import io.packing.htfs.record.WriterThread;
import io.packing.trace.TraceFileWriter;
import io.packing.trace.TraceFiles;
import io.packing.trace.TraceOrigin;
import io.packing.trace.TraceSink;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.ShutdownHookManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the traced file systems of a process share: one recorder, one writer thread, one file. Hadoop makes file systems
 * by reflection and hands them nothing but a configuration, hence the static table, by trace directory.
 */
final class ProcessTracer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ProcessTracer.class);
    private static final Map<Path, ProcessTracer> TRACERS = new ConcurrentHashMap<>();
    /** Below Hadoop's file-system cache and HBase's servers, whose closing of streams is still to be seen. */
    private static final int SHUTDOWN_PRIORITY = -100;

    private final HtfsConfig config;
    private final Recorder recorder;
    private final WriterThread writer;
    private final AtomicInteger fileSystems = new AtomicInteger();
    private final AtomicInteger files = new AtomicInteger();
    private final AtomicLong reportedDrops = new AtomicLong();
    private final long startMillis;

    private ProcessTracer(HtfsConfig config, Clock clock) {
        this.config = config;
        this.startMillis = clock.millis();
        WriterThread[] started = new WriterThread[1];
        this.recorder = new Recorder(config.bufferEvents(), config.collapse(), System::nanoTime, () -> {
            if (started[0] != null) {
                started[0].hurry();
            }
        });
        Drain drain = new Drain(
                recorder,
                origin(config),
                this::openFile,
                clock,
                config.collapse().ageNanos(),
                LOG::warn);
        this.writer = new WriterThread(drain);
        started[0] = writer;
        writer.start();
    }

    /** The tracer of this process for a configuration; started by the first who asks. */
    static ProcessTracer of(Configuration conf) {
        HtfsConfig config = HtfsConfig.from(conf);
        return TRACERS.computeIfAbsent(config.directory().toAbsolutePath().normalize(), directory -> {
            ProcessTracer tracer = new ProcessTracer(config, Clock.systemUTC());
            ShutdownHookManager.get().addShutdownHook(tracer::close, SHUTDOWN_PRIORITY);
            LOG.info("HTFS traces this process into {}", directory);
            return tracer;
        });
    }

    /** Ends the trace of a directory, so that it can be read; a later file system starts another file. */
    static void finish(Path directory) {
        ProcessTracer tracer = TRACERS.remove(directory.toAbsolutePath().normalize());
        if (tracer != null) {
            tracer.close();
        }
    }

    private static TraceOrigin origin(HtfsConfig config) {
        return new TraceOrigin(host(), ProcessHandle.current().pid(), config.process());
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }

    private TraceSink openFile() throws IOException {
        Files.createDirectories(config.directory());
        // Processes share the directory: their names must not meet, nor those of a process that had this id before.
        Path file = config.directory()
                .resolve("%s-%d-%d-%d%s"
                        .formatted(
                                host(),
                                ProcessHandle.current().pid(),
                                startMillis,
                                files.incrementAndGet(),
                                TraceFiles.SUFFIX));
        long reported = reportedDrops.getAndSet(recorder.dropped());
        return new TraceFileSink(
                TraceFileWriter.create(file),
                recorder::dropped,
                reported,
                System::nanoTime,
                config.flushAfter().toNanos());
    }

    Recorder recorder() {
        return recorder;
    }

    Caller newCaller(String user) {
        return new Caller(fileSystems.incrementAndGet(), user);
    }

    @Override
    public void close() {
        writer.close();
    }
}
