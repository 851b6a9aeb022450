// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.bpf;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The kernel's programs, loaded, and the records that they make of a process and its children. The traced programs
 * never wait: a record that finds the ring full is lost, and counted. Confined to one thread.
 */
public final class KernelTracer implements AutoCloseable {
    /** The bytes of records that the kernel keeps until they are read. */
    public static final int RING = 1 << 26;

    /** The most threads that are followed at one time. */
    public static final int MOST_THREADS = 1 << 16;

    private static final int CALLS = 1024;
    /** A ring is filling from this part of it on. */
    private static final int FILLING = 8;

    /** The records that are read before their space goes back to the kernel. */
    private static final int BATCH = 64;

    private final BpfKernel kernel;
    private final Deque<Integer> descriptors = new ArrayDeque<>();
    private final List<Integer> counted = new ArrayList<>();
    private final int threads;
    private final int counts;
    private final RecordRing ring;
    private final int ringBytes;
    private int taken;
    private long malformed;

    /**
     * Loads and attaches the programs.
     *
     * @param plans of calls by their numbers; other calls are not recorded
     * @param ringBytes the size of the ring, a power of two
     * @throws IOException if this machine or these rights allow no such programs, with the reason
     */
    public KernelTracer(Map<Integer, CallPlan> plans, int ringBytes) throws IOException {
        this.ringBytes = ringBytes;
        this.kernel = BpfKernel.bind();
        if (!Files.isReadable(KernelTypes.OF_KERNEL)) {
            throw new IOException("recording by BPF needs a kernel with BTF, and there is no " + KernelTypes.OF_KERNEL);
        }
        int pidAt = KernelTypes.read(KernelTypes.OF_KERNEL).offset("task_struct", "pid");
        boolean opened = false;
        try {
            threads = map(BpfKernel.MapKind.HASH, Integer.BYTES, TracePrograms.STATE, MOST_THREADS);
            counts = map(BpfKernel.MapKind.ARRAY, Integer.BYTES, Long.BYTES, TracePrograms.COUNTS);
            int plan = map(BpfKernel.MapKind.ARRAY, Integer.BYTES, Long.BYTES, CALLS);
            int scratch = map(BpfKernel.MapKind.ARRAY_OF_EACH_PROCESSOR, Integer.BYTES, TracePrograms.SCRATCH, 1);
            int records = map(BpfKernel.MapKind.RING, 0, 0, ringBytes);
            for (Map.Entry<Integer, CallPlan> entry : plans.entrySet()) {
                kernel.put(
                        plan, bytes(entry.getKey()), longBytes(entry.getValue().word()));
            }
            TracePrograms programs = new TracePrograms(threads, plan, scratch, counts, records);
            attach("sched_process_fork", programs.fork(pidAt), true);
            attach("sched_process_exec", programs.execute(), true);
            attach("sched_process_exit", programs.leave(), true);
            attach("sys_enter", programs.enter(), true);
            attach("sys_exit", programs.exit(), true);
            attach("page_fault_user", programs.fault(), false);
            attach("page_fault_kernel", programs.fault(), false);
            attach("mm_filemap_map_pages", programs.paged(true), true);
            attach("mm_filemap_fault", programs.paged(false), true);
            ring = new RecordRing(kernel, records, ringBytes);
            opened = true;
        } finally {
            if (!opened) {
                descriptors.forEach(kernel::close);
            }
        }
    }

    private int map(BpfKernel.MapKind kind, int keySize, int valueSize, int entries) throws IOException {
        int descriptor = kernel.map(kind, keySize, valueSize, entries);
        descriptors.push(descriptor);
        return descriptor;
    }

    private void attach(String tracepoint, byte[] instructions, boolean records) throws IOException {
        int program = kernel.load(tracepoint, instructions);
        descriptors.push(program);
        if (records) {
            counted.add(program);
        }
        descriptors.push(kernel.attach(tracepoint, program));
    }

    private static byte[] bytes(int number) {
        return ByteBuffer.allocate(Integer.BYTES)
                .order(ByteOrder.nativeOrder())
                .putInt(number)
                .array();
    }

    private static byte[] longBytes(long number) {
        return ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.nativeOrder())
                .putLong(number)
                .array();
    }

    /** Follows a process of one thread, and all that come from it. */
    public void follow(int process) throws IOException {
        kernel.put(threads, bytes(process), new byte[TracePrograms.STATE]);
    }

    /** Takes the next record; empty if there is none yet. A record is valid until the next call. */
    public Optional<KernelRecord> next() {
        if (taken == BATCH) {
            release();
        }
        for (Optional<ByteBuffer> body = ring.next(); body.isPresent(); body = ring.next()) {
            taken++;
            Optional<KernelRecord> record = KernelRecord.of(body.get());
            if (record.isPresent()) {
                return record;
            }
            malformed++;
        }
        release();
        return Optional.empty();
    }

    /** Returns whether so much waits that records may soon find no room. */
    public boolean isFilling() {
        return ring.waiting() > ringBytes / FILLING;
    }

    private void release() {
        ring.release();
        taken = 0;
    }

    /**
     * Counts the records that were lost: those that found the ring full, those of programs that the kernel left out, and
     * those that cannot be parsed.
     */
    public long lostRecords() throws IOException {
        long lost = kernel.number(counts, TracePrograms.LOST_RECORDS) + malformed;
        for (int program : counted) {
            lost += kernel.misses(program);
        }
        return lost;
    }

    /** Counts the threads that were not followed, since there were too many. */
    public long lostThreads() throws IOException {
        return kernel.number(counts, TracePrograms.LOST_THREADS);
    }

    @Override
    public void close() {
        ring.close();
        descriptors.forEach(kernel::close);
    }
}
