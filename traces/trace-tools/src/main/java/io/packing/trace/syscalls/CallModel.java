// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.syscalls;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The descriptors, files and tasks behind a backend's calls, which turn the calls into events. Confined to one thread.
 */
final class CallModel implements CallSink {
    /** The names of calls of older ABIs that differ only in the width of a number. */
    private static final Map<String, String> ALIASES = Map.ofEntries(
            Map.entry("fcntl64", "fcntl"),
            Map.entry("stat64", "stat"),
            Map.entry("lstat64", "lstat"),
            Map.entry("fstat64", "fstat"),
            Map.entry("fstatat64", "newfstatat"),
            Map.entry("sendfile64", "sendfile"),
            Map.entry("truncate64", "truncate"),
            Map.entry("ftruncate64", "ftruncate"),
            Map.entry("fadvise64_64", "fadvise64"),
            Map.entry("mmap2", "mmap"),
            Map.entry("pread", "pread64"),
            Map.entry("pwrite", "pwrite64"));

    private final Recording recording;
    private final Tasks tasks;
    private final Handlers handlers;
    private final OpenCalls openCalls;

    CallModel(Recording recording, Tasks tasks) {
        this.recording = recording;
        this.tasks = tasks;
        this.handlers = new Handlers(recording);
        // Each class registers its handlers itself.
        this.openCalls = new OpenCalls(recording, handlers);
        new TransferCalls(recording, handlers);
        new FileStateCalls(recording, handlers);
        new PathCalls(recording, handlers, tasks);
        new ProcessCalls(recording, handlers, tasks);
    }

    /** Returns the names of the calls that a backend should report. */
    Set<String> names() {
        return new TreeSet<>(handlers.names());
    }

    @Override
    public void began(int thread, String name, Arguments known) {
        if (ProcessCalls.CLONES.containsKey(name)) {
            tasks.with(thread, task -> tasks.cloneBegan(task, ProcessCalls.flags(name, known)));
        } else if (name.equals("close")) {
            tasks.with(thread, task -> openCalls.closeBegan(task, known));
        }
    }

    @Override
    public void returned(SystemCall call) {
        Optional<Handlers.Handler> handler = handlers.of(ALIASES.getOrDefault(call.name(), call.name()));
        if (handler.isPresent()) {
            tasks.with(call.thread(), task -> take(handler.get(), task, call));
        } else if (!OtherCalls.isKnown(call.name())) {
            recording.unknownCall(call.name());
        }
    }

    /** Handles a call. Numbers that no kernel takes or returns make it a torn line, too. */
    private void take(Handlers.Handler handler, TracedThread task, SystemCall call) {
        try {
            handler.take(task, call);
        } catch (IllegalArgumentException | ArithmeticException e) {
            recording.unseen(UnrecordedReason.TORN_LINE, 1);
        }
    }

    @Override
    public void ended(int thread, long wallNanos, long monoNanos) {
        tasks.with(thread, task -> {
            tasks.remove(thread);
            if (task.descriptors().leave()) {
                for (int descriptor : task.descriptors().all()) {
                    recording.closed(task.descriptors().close(descriptor), task);
                }
            }
        });
    }

    @Override
    public void replaced(int thread, int by) {
        tasks.replace(thread, by);
    }

    @Override
    public void joined(int thread, int of) {
        tasks.with(of, leader -> tasks.cloned(leader, "CLONE_VM|CLONE_FS|CLONE_FILES|CLONE_THREAD", thread));
    }

    @Override
    public void forked(int thread, String flags, int child) {
        tasks.with(thread, parent -> tasks.cloneBegan(parent, flags));
        // The child belongs to the only clone under way that has none.
        tasks.with(child, task -> {});
    }

    @Override
    public void faulted(int thread, long address, long firstPage, long lastPage, long wallNanos, long monoNanos) {
        tasks.with(
                thread,
                task -> task.memory().at(address).ifPresent(at -> {
                    long page = (at.getValue().offset() + address - at.getKey()) / TracedFile.PAGE;
                    // Pages that a call brought in for the kernel itself have nothing to do with the last fault's
                    // address.
                    if (page >= firstPage && page <= lastPage) {
                        recording.paged(at.getValue().open(), task, firstPage, lastPage, wallNanos, monoNanos);
                    }
                }));
    }

    @Override
    public void used(long processorNanos) {
        recording.used(processorNanos);
    }

    @Override
    public void unseen(UnrecordedReason reason, long count, String sample) {
        recording.unseen(reason, count);
    }

    /**
     * Handles the calls that still wait, at the end of the backend's output.
     *
     * @param clockSteps number of the wall clock's steps back
     */
    void finish(long clockSteps) {
        tasks.finish();
        recording.irregular(Irregularity.CLOCK_STEP, clockSteps);
        recording.irregular(Irregularity.REUSED_PID, tasks.reused());
        recording.irregular(Irregularity.ORPHAN, tasks.orphans());
        recording.finish();
    }
}
