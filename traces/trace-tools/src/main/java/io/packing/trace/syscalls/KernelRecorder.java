// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.syscalls;

import io.packing.trace.TraceEvent;
import io.packing.trace.TraceFileWriter;
import io.packing.trace.bpf.KernelRecord;
import io.packing.trace.bpf.KernelTracer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A recorder of a command's system calls and page faults by programs in the kernel (BPF). The command does not wait for
 * the recorder: what finds no room is lost, and counted. It needs root, and a kernel with BTF.
 */
public final class KernelRecorder {
    /** The command waits for a line, and then becomes what is to be recorded. */
    private static final String WAIT = "read -r go < \"$0\" && exec \"$@\"";

    private static final int PAUSE_MILLIS = 5;
    private static final Path PROCESSES = Path.of("/proc");
    /** The kernel counts processor time in hundredths of a second, whatever its clock. */
    private static final long NANOS_PER_TICK = 10_000_000;
    /** The fields of children's time in /proc/self/stat, counted behind the name of the program. */
    private static final int CHILDREN_USER = 13;

    private static final int CHILDREN_SYSTEM = 14;

    private KernelRecorder() {}

    /** Returns the reason why this process cannot record so; empty if it can. */
    public static Optional<String> obstacle() {
        try (KernelTracer unused = new KernelTracer(CallTable.read().plans(), KernelTracer.RING)) {
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /**
     * Runs a command with this process's standard input, output and error, and writes its events.
     *
     * @throws IOException also if this machine or these rights do not allow it; the command does not run then
     */
    public static StraceRecorder.Outcome record(StraceRecorder.Request request, TraceFileWriter out)
            throws IOException, InterruptedException {
        return record(request, command -> new ProcessBuilder(command).inheritIO(), out);
    }

    /**
     * Runs a command as {@code starter} defines, and writes its events.
     *
     * @throws IOException also if this machine or these rights do not allow it; the command does not run then
     */
    public static StraceRecorder.Outcome record(
            StraceRecorder.Request request, StraceRecorder.Starter starter, TraceFileWriter out)
            throws IOException, InterruptedException {
        return record(request, starter, out, KernelTracer.RING);
    }

    static StraceRecorder.Outcome record(
            StraceRecorder.Request request, StraceRecorder.Starter starter, TraceFileWriter out, int ringBytes)
            throws IOException, InterruptedException {
        if (request.stacks()) {
            throw new IllegalArgumentException("programs in the kernel record no stacks: record them by strace");
        }
        Path scratch = Files.createTempDirectory("packing-record-");
        Path pipe = scratch.resolve("go");
        try (KernelTracer tracer = new KernelTracer(CallTable.read().plans(), ringBytes)) {
            StraceRecorder.makePipe(pipe);
            return record(request, starter, out, tracer, pipe);
        } finally {
            Files.deleteIfExists(pipe);
            Files.deleteIfExists(scratch);
        }
    }

    private static StraceRecorder.Outcome record(
            StraceRecorder.Request request,
            StraceRecorder.Starter starter,
            TraceFileWriter out,
            KernelTracer tracer,
            Path pipe)
            throws IOException, InterruptedException {
        InitialFiles snapshot = InitialFiles.of(request.trees(), changed(pipe));
        List<String> line = new ArrayList<>(List.of("/bin/sh", "-c", WAIT, pipe.toString()));
        line.addAll(request.command());
        ProcessBuilder builder = starter.of(line);
        long usedBefore = childrenNanos();
        Process process = builder.start();
        // The pipe is open for both, so that its opening does not wait for the process.
        try (FileChannel go = FileChannel.open(pipe, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            Path directory = builder.directory() == null
                    ? Path.of("")
                    : builder.directory().toPath();
            Path self = PROCESSES.resolve(Long.toString(process.pid()));
            InheritedState inherited =
                    InheritedState.of(self, directory.toAbsolutePath().toString());
            tracer.follow((int) process.pid());
            int unused = go.write(ByteBuffer.wrap("go\n".getBytes(StandardCharsets.US_ASCII)));
            Instant now = changed(pipe).toInstant();
            CallSource source = CallSource.ofKernel(
                    new Live(tracer, process, usedBefore),
                    (int) process.pid(),
                    request.host(),
                    request.task(),
                    now.getEpochSecond() * 1_000_000_000L + now.getNano(),
                    snapshot,
                    inherited);
            long events = 0;
            for (Optional<TraceEvent> next = source.next(); next.isPresent(); next = source.next()) {
                out.write(next.get());
                events++;
            }
            return new StraceRecorder.Outcome(
                    process.waitFor(), events, source.unseen(), source.irregular(), snapshot.isWhole());
        } finally {
            process.destroy();
        }
    }

    private static FileTime changed(Path file) throws IOException {
        return (FileTime) Files.getAttribute(file, "unix:ctime", LinkOption.NOFOLLOW_LINKS);
    }

    /** Returns the processor time of this process's children that have ended, and of theirs. */
    private static long childrenNanos() throws IOException {
        String stat = Files.readString(PROCESSES.resolve("self/stat"));
        List<String> fields = List.of(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1));
        return (Long.parseLong(fields.get(CHILDREN_USER)) + Long.parseLong(fields.get(CHILDREN_SYSTEM)))
                * NANOS_PER_TICK;
    }

    /** The records of a running command. */
    private record Live(KernelTracer tracer, Process process, long usedBefore) implements KernelReader.Records {
        @Override
        public Optional<KernelRecord> next() {
            return tracer.next();
        }

        /** Waits until the ring is filling or the command has ended: to read records early would slow the command. */
        @Override
        public boolean await(Set<Integer> threads) throws IOException {
            boolean living = process.isAlive()
                    || threads.stream().anyMatch(thread -> Files.exists(PROCESSES.resolve(thread.toString())));
            do {
                pause();
            } while (process.isAlive() && !tracer.isFilling());
            return living;
        }

        private static void pause() throws IOException {
            try {
                boolean unused = new CountDownLatch(1).await(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("the recording was interrupted", e);
            }
        }

        @Override
        public long lostRecords() throws IOException {
            return tracer.lostRecords();
        }

        @Override
        public long lostThreads() throws IOException {
            return tracer.lostThreads();
        }

        @Override
        public long processorNanos() throws IOException {
            try {
                int unused = process.waitFor();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("the recording was interrupted", e);
            }
            return childrenNanos() - usedBefore;
        }
    }
}
