// SPDX-License-Identifier: Apache-2.0
package io.packing.htfs;

import io.packing.htfs.record.Drain;
import io.packing.htfs.record.FileSystemInstance;
import io.packing.htfs.record.Recorder;
import io.packing.htfs.record.WriterThread;
import io.packing.trace.RotatingTraceWriter;
import io.packing.trace.TraceOrigin;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.ShutdownHookManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tracer of a process, which its traced file systems share: one recorder, one writer thread, one series of files.
 * Hadoop makes file systems by reflection and passes them only a configuration; so a static table has the tracers, by
 * trace directory.
 */
final class ProcessTracer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ProcessTracer.class);
    private static final Map<Path, ProcessTracer> TRACERS = new ConcurrentHashMap<>();
    /**
     * The priority of the shutdown hook, below Hadoop's file-system cache and HBase's servers: the trace must have
     * their closes.
     */
    private static final int SHUTDOWN_PRIORITY = -100;

    private final Recorder recorder;
    private final WriterThread writer;
    private final Runnable atShutdown = this::close;
    private final AtomicInteger fileSystems = new AtomicInteger();

    private ProcessTracer(HtfsOptions config, Clock clock) {
        WriterThread[] started = new WriterThread[1];
        this.recorder = new Recorder(config.bufferEvents(), config.collapse(), System::nanoTime, () -> {
            if (started[0] != null) {
                started[0].hurry();
            }
        });
        TraceOrigin origin = new TraceOrigin(host(), ProcessHandle.current().pid(), config.process());
        Drain drain = new Drain(
                recorder,
                origin,
                new RotatingTraceWriter(config.files(), origin, clock, System::nanoTime),
                clock,
                config.drain(),
                LOG::warn);
        this.writer = new WriterThread(drain, config.drain().flushNanos(), LOG::warn);
        started[0] = writer;
        writer.start();
    }

    /** Returns the tracer of this process for a configuration; starts it at the first call. */
    static ProcessTracer of(Configuration conf) {
        HtfsOptions config = HtfsOptions.from(conf);
        return TRACERS.computeIfAbsent(
                config.files().directory().toAbsolutePath().normalize(), directory -> {
                    ProcessTracer tracer = new ProcessTracer(config, Clock.systemUTC());
                    ShutdownHookManager.get().addShutdownHook(tracer.atShutdown, SHUTDOWN_PRIORITY);
                    LOG.info("HTFS traces this process into {}", directory);
                    return tracer;
                });
    }

    /** Ends the trace of a directory, so that it can be read; a later file system starts another file. */
    static void finish(Path directory) {
        ProcessTracer tracer = TRACERS.remove(directory.toAbsolutePath().normalize());
        if (tracer != null) {
            tracer.close();
            if (!ShutdownHookManager.get().isShutdownInProgress()) {
                // The hook would keep the tracer's buffers as long as the process.
                ShutdownHookManager.get().removeShutdownHook(tracer.atShutdown);
            }
        }
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }

    Recorder recorder() {
        return recorder;
    }

    FileSystemInstance newCaller(String user) {
        return new FileSystemInstance(fileSystems.incrementAndGet(), user);
    }

    @Override
    public void close() {
        writer.close();
    }
}
