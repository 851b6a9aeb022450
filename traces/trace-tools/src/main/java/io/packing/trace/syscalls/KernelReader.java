// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.syscalls;

import io.packing.trace.bpf.KernelRecord;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A reader of the records of the kernel's programs, which reports the calls to a sink. It ends when no followed thread is
 * left. Confined to one thread.
 */
final class KernelReader implements LogReader {
    /** The source of records. */
    interface Records {
        /** Takes the next record; empty if there is none yet. */
        Optional<KernelRecord> next();

        /**
         * Waits a little for more records.
         *
         * @param threads that are alive as far as the records tell
         * @return false if none of them lives, so that no record can come
         */
        boolean await(Set<Integer> threads) throws IOException;

        /** Counts the records that were lost so far. */
        long lostRecords() throws IOException;

        /** Counts the threads that were not followed. */
        long lostThreads() throws IOException;

        /** Returns the processor time of the command and its children after their end, in nanoseconds. */
        long processorNanos() throws IOException;
    }

    private static final String FORK_FLAGS = "flags=SIGCHLD";

    private final Records records;
    private final CallSink sink;
    private final CallTable table;
    private final KernelNames names;
    private final long startWall;
    private final Set<Integer> alive = new HashSet<>();
    /** The paths of programs that threads are about to become. */
    private final Map<Integer, Arguments> executing = new HashMap<>();
    /** The children that threads made in the call under way. */
    private final Map<Integer, Integer> children = new HashMap<>();

    private Optional<KernelCalls> translation = Optional.empty();
    private long start;
    private boolean begun;

    /**
     * @param first the thread of the command
     * @param startWall time of the command's start, nanoseconds since 1970
     */
    KernelReader(Records records, CallSink sink, CallTable table, KernelNames names, int first, long startWall) {
        this.records = records;
        this.sink = sink;
        this.table = table;
        this.names = names;
        this.startWall = startWall;
        alive.add(first);
    }

    @Override
    public long clockSteps() {
        return 0;
    }

    @Override
    public boolean step() throws IOException {
        if (alive.isEmpty()) {
            return end();
        }
        boolean living = true;
        Optional<KernelRecord> record = records.next();
        if (record.isEmpty()) {
            living = records.await(alive);
            record = records.next();
        }
        if (record.isEmpty()) {
            return living || end();
        }
        take(record.get());
        return true;
    }

    /** Ends the recording with the counts of what it lost. */
    private boolean end() throws IOException {
        sink.unseen(
                UnrecordedReason.UNREAD_PATH,
                translation.map(KernelCalls::unreadPaths).orElse(0L),
                "");
        sink.unseen(UnrecordedReason.LOST_RECORD, records.lostRecords(), "");
        sink.unseen(UnrecordedReason.LOST_THREAD, records.lostThreads(), "");
        sink.used(records.processorNanos());
        return false;
    }

    /** Returns the translation of records, whose first one sets the clock. */
    private KernelCalls calls(KernelRecord record) {
        if (translation.isEmpty()) {
            // The first record may be of a call that began before the thread was followed.
            start = record.kind() == KernelRecord.Kind.CALL ? record.end() : record.at();
            translation = Optional.of(new KernelCalls(names, startWall - start));
        }
        return translation.get();
    }

    private void take(KernelRecord record) {
        KernelCalls calls = calls(record);
        switch (record.kind()) {
            case FORK -> forked(record);
            case EXECUTE -> {
                int before = (int) record.value(0);
                alive.remove(before);
                alive.add(record.thread());
                Arguments path = executing.remove(before);
                if (path != null) {
                    executing.put(record.thread(), path);
                }
                sink.replaced(record.thread(), before);
            }
            case EXIT -> {
                alive.remove(record.thread());
                executing.remove(record.thread());
                children.remove(record.thread());
                if (record.number() > 0) {
                    sink.unseen(UnrecordedReason.UNFINISHED, 1, "");
                }
                sink.ended(record.thread(), calls.wall(record.at()), record.at() - start);
            }
            case FAULT ->
                sink.faulted(
                        record.thread(),
                        record.value(0),
                        record.value(1),
                        record.value(2),
                        calls.wall(record.at()),
                        record.at() - start);
            case BEGIN -> began(record, calls);
            case CALL -> table.of(record.number()).ifPresent(entry -> returned(entry, record, calls));
        }
    }

    private void forked(KernelRecord record) {
        int child = (int) record.value(0);
        alive.add(child);
        String name = table.of(record.number() - 1).map(CallTable.Entry::name).orElse("");
        String flags = name.startsWith("clone")
                ? "flags=" + names.flags("clone", record.value(1) & 0xffffffffL)
                : name.equals("vfork") ? "flags=CLONE_VM|CLONE_VFORK" : FORK_FLAGS;
        children.put(record.thread(), child);
        sink.forked(record.thread(), flags, child);
    }

    private void began(KernelRecord record, KernelCalls calls) {
        table.of(record.number()).ifPresent(entry -> {
            Arguments arguments = calls.arguments(entry, record);
            if (entry.name().startsWith("execve")) {
                executing.put(record.thread(), arguments);
            } else if (begun) {
                sink.began(record.thread(), entry.name(), arguments);
            }
        });
    }

    private void returned(CallTable.Entry entry, KernelRecord record, KernelCalls calls) {
        SystemCall call = calls.call(entry, record, start);
        Arguments path = executing.remove(record.thread());
        boolean executes = entry.name().startsWith("execve");
        // The process that waits for its start makes calls before it becomes the command.
        begun |= executes && !call.failed();
        boolean clones = ProcessCalls.CLONES.containsKey(entry.name());
        if (!begun || (clones && record.result() == 0)) {
            // A child returns from the call that made it, too.
            return;
        }
        Integer child = children.remove(record.thread());
        if (executes && path != null && path.texts().stream().anyMatch(text -> text.startsWith("\""))) {
            call = call.with(path);
        } else if (child != null && clones && !call.failed()) {
            // A process in a namespace of its own knows its child by another number.
            call = call.returning(child);
        }
        sink.returned(call);
    }
}
