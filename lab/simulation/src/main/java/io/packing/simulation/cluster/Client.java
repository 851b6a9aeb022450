// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.cluster;

import io.packing.bdt.FileStatus;
import io.packing.bdt.Outcome;
import io.packing.bdt.UnavailableException;
import io.packing.blob.CorruptBlobException;
import io.packing.blob.FilePath;
import io.packing.simulation.schedule.Schedule;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.PackingInput;
import io.packing.worker.api.PackingOutput;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** A client that writes, reads, renames and deletes names of its own by any worker, and reads those of others. */
final class Client {
    private static final CreateOptions OVERWRITE = new CreateOptions("o", "g", 0644, true, true);

    /** More entries than a directory of a client ever has. */
    private static final int MOST_ENTRIES = 10_000;

    /** The error of a file whose worker has come back without it. */
    private static final String LOST = " is lost: worker ";

    /** A call of a mount, on its worker's node. */
    private interface Work {
        Object at(PackingFileSystem mount) throws IOException;
    }

    private final int number;
    private final SimulatedNode node;
    private final List<WorkerNode> workers;
    private final SimulatedNetwork network;
    private final Swarm swarm;
    private final Schedule schedule;
    private final ScheduleCounts counts;
    private final OperationRecords records;
    private final StepRecords steps;
    private final List<FilePath> names = new ArrayList<>();
    private final Map<FilePath, NameHistory> files = new HashMap<>();
    private long written;
    private boolean tableWasLost;
    /** False if no worker has taken the last call: it has done nothing, though its client cannot know that. */
    private boolean isTaken;

    /** The names whose state after the faults was not right yet. */
    private final List<FilePath> unchecked = new ArrayList<>();

    Client(
            int number,
            SimulatedNode node,
            List<WorkerNode> workers,
            SimulatedNetwork network,
            Swarm swarm,
            Schedule schedule,
            ScheduleCounts counts,
            OperationRecords.Moments moments,
            StepRecords steps) {
        this.number = number;
        this.steps = steps;
        this.records = new OperationRecords(schedule, number, moments);
        this.node = node;
        this.workers = workers;
        this.network = network;
        this.swarm = swarm;
        this.schedule = schedule;
        this.counts = counts;
        for (int i = 0; i < swarm.names(); i++) {
            FilePath path = new FilePath("/c%d/f%d".formatted(number, i));
            names.add(path);
            files.put(path, new NameHistory());
        }
        unchecked.addAll(names);
    }

    private Random random() {
        return schedule.random();
    }

    private Object ask(WorkerNode worker, Work work) throws IOException {
        isTaken = false;
        return Objects.requireNonNull(network.call(node, worker.node(), () -> {
            PackingFileSystem mount = worker.mount();
            isTaken = true;
            return work.at(mount);
        }));
    }

    private WorkerNode anyWorker() {
        return workers.get(random().nextInt(workers.size()));
    }

    private FilePath anyName() {
        return names.get(random().nextInt(names.size()));
    }

    /** Does one operation; returns after a while if it failed. */
    void step(List<Client> all) throws InterruptedException {
        counts.operations++;
        TimeUnit.MICROSECONDS.sleep(random().nextInt(swarm.thinkMicros()));
        try {
            switch (random().nextInt(10)) {
                case 0, 1, 2, 3 -> write(anyName());
                case 4 -> delete(anyName());
                case 5 -> rename(anyName(), anyName());
                case 6, 7 -> read(anyWorker(), anyName());
                default -> all.get(random().nextInt(all.size())).readByOther(this, anyWorker());
            }
        } catch (CorruptBlobException e) {
            // No bytes flip here: a process took bytes for a file's that are none.
            counts.wrong++;
            schedule.note("damaged: " + e);
        } catch (IOException e) {
            counts.failed++;
            schedule.note("failed: " + e);
            if (isLoss(e) && !swarm.forgetful() && !tableWasLost) {
                // A file is claimed when its bytes are on a disk that keeps them.
                counts.lost++;
            }
            TimeUnit.MILLISECONDS.sleep(1 + random().nextInt(500));
        }
    }

    private static boolean isLoss(IOException e) {
        return String.valueOf(e.getMessage()).contains(LOST);
    }

    /** Notes that the master's table was lost. */
    void tableIsLost() {
        tableWasLost = true;
        files.values().forEach(NameHistory::tableIsLost);
    }

    private NameHistory history(FilePath path) {
        NameHistory history = files.get(path);
        if (history == null) {
            throw new IllegalArgumentException(path + " is another client's");
        }
        return history;
    }

    private void write(FilePath path) throws IOException {
        long content = number * 1_000_000L + ++written;
        NameHistory history = history(path);
        int begun = history.begin(content);
        schedule.note("writes " + content + " to " + path);
        WorkerNode worker = anyWorker();
        long call = records.call();
        steps.writes(path);
        try {
            Object unused = ask(worker, mount -> {
                try (PackingOutput out = mount.create(path, OVERWRITE)) {
                    out.write(NumberedContents.bytes(content));
                }
                return true;
            });
        } catch (IOException e) {
            history.noteUnanswered(begun);
            if (isTaken) {
                records.mayHaveWritten(path, content, call);
            }
            throw e;
        }
        records.wrote(path, content, call);
        steps.answered(worker.node().name(), path);
        history.acknowledgeWrite(begun);
        counts.written++;
        schedule.conditions().changed();
        worker.answered(history, begun);
        schedule.note("wrote " + content);
    }

    private void delete(FilePath path) throws IOException {
        NameHistory history = history(path);
        boolean mayBeAbsent = history.allows(history.readable(), NameHistory.ABSENT);
        int begun = history.begin(NameHistory.ABSENT);
        long call = records.call();
        Object outcome;
        try {
            outcome = ask(anyWorker(), mount -> mount.bdt().delete(path, false));
        } catch (IOException e) {
            if (isTaken) {
                records.mayHaveWritten(path, NameHistory.ABSENT, call);
            }
            throw e;
        }
        if (outcome == Outcome.NOT_FOUND) {
            records.read(path, NameHistory.ABSENT, call);
        } else {
            records.wrote(path, NameHistory.ABSENT, call);
        }
        schedule.note("deleted " + path + ": " + outcome);
        if (outcome != Outcome.NOT_FOUND) {
            history.acknowledgeChange(begun);
        } else if (history.mayComeBack()) {
            // It is a read of a table that may still get the file from a worker.
            history.withdraw(begun);
        } else {
            counts.lost += mayBeAbsent || swarm.forgetful() ? 0 : 1;
            history.acknowledgeChange(begun);
        }
    }

    private void rename(FilePath from, FilePath to) throws IOException {
        NameHistory source = history(from);
        NameHistory target = history(to);
        if (from.equals(to) || !source.isCertain() || !target.isCertain()) {
            return;
        }
        if (target.state() != NameHistory.ABSENT || source.state() == NameHistory.ABSENT) {
            return;
        }
        long renamed = source.state();
        target.inherit(source);
        int there = target.begin(renamed);
        int gone = source.begin(NameHistory.ABSENT);
        long call = records.call();
        Object outcome;
        try {
            outcome = ask(anyWorker(), mount -> mount.bdt().rename(from, to));
        } catch (IOException e) {
            if (isTaken) {
                records.mayHaveWritten(from, NameHistory.ABSENT, call);
                records.mayHaveWritten(to, renamed, call);
            }
            throw e;
        }
        if (outcome != Outcome.DONE) {
            if (swarm.forgetful()) {
                // A loss of power may have undone what gave the source its state.
                return;
            }
            schedule.note("%s was not renamed to %s: %s".formatted(from, to, outcome));
            counts.wrong++;
            return;
        }
        records.wrote(from, NameHistory.ABSENT, call);
        records.wrote(to, renamed, call);
        target.acknowledgeChange(there);
        source.acknowledgeChange(gone);
        schedule.note("renamed " + from + " to " + to);
    }

    /** Reads a name of this client, while the client does nothing else. */
    private void read(WorkerNode worker, FilePath path) throws IOException {
        NameHistory history = history(path);
        int from = history.readable();
        judge(worker, path, from, found(this, worker, path));
    }

    private void judge(WorkerNode worker, FilePath path, int from, long found) {
        NameHistory history = history(path);
        if (history.allows(from, found) || isForgiven(history, found)) {
            return;
        }
        schedule.note("%s by %s has %d, wants one from %d on"
                .formatted(path, worker.node().name(), found, from));
        if (found == NameHistory.ABSENT) {
            counts.lost++;
        } else if (history.knows(found)) {
            counts.returned++;
        } else {
            counts.wrong++;
        }
    }

    /** Returns true for an older state, or none, of a mount that may lose files. */
    private boolean isForgiven(NameHistory history, long found) {
        return swarm.forgetful() && history.knows(found);
    }

    /** Reads a name of this client for another one, perhaps while this one changes it. */
    private void readByOther(Client reader, WorkerNode worker) throws IOException {
        FilePath path = anyName();
        NameHistory history = history(path);
        int from = history.readable();
        long found = found(reader, worker, path);
        if (!history.allows(from, found) && !isForgiven(history, found)) {
            schedule.note("%s by %s has %d for client %d, wants one from %d on"
                    .formatted(path, worker.node().name(), found, reader.number, from));
            if (history.knows(found)) {
                counts.unlinearizable++;
            } else {
                counts.wrong++;
            }
        }
    }

    private static long found(Client reader, WorkerNode worker, FilePath path) throws IOException {
        long call = reader.records.call();
        long found = (Long) reader.ask(worker, mount -> {
            Optional<PackingInput> opened = opened(mount, path);
            if (opened.isEmpty()) {
                return NameHistory.ABSENT;
            }
            // A read of a version that was replaced since the open fails, and tells nothing of the name.
            try (PackingInput in = opened.get()) {
                ByteBuffer all = ByteBuffer.allocate((int) in.attributes().length());
                while (all.hasRemaining() && in.read(all.position(), all) > 0) {
                    // Reads on.
                }
                return NumberedContents.number(Arrays.copyOf(all.array(), all.position()));
            }
        });
        reader.records.read(path, found, call);
        return found;
    }

    private static Optional<PackingInput> opened(PackingFileSystem mount, FilePath path) throws IOException {
        try {
            return Optional.of(mount.open(path));
        } catch (FileNotFoundException e) {
            return Optional.empty();
        }
    }

    /**
     * Reads all names of this client by all workers; fails until all of them answer. It goes on with the name that failed before.
     *
     * @param waits true while a file may still come back with its worker
     */
    void check(boolean waits) throws IOException {
        for (; !unchecked.isEmpty(); unchecked.remove(unchecked.size() - 1)) {
            FilePath name = unchecked.get(unchecked.size() - 1);
            NameHistory history = history(name);
            for (WorkerNode worker : workers) {
                long found;
                try {
                    found = found(this, worker, name);
                } catch (IOException e) {
                    if (isLoss(e) && history.mayBeUndone()) {
                        // Its end is undone, and its worker had dropped the bytes.
                        counts.undone++;
                        continue;
                    }
                    throw e;
                }
                if (waits && history.isComingBack() && !history.allows(history.acknowledged(), found)) {
                    throw new UnavailableException("%s has not come back, but has %d".formatted(name, found));
                }
                if (history.mayBeBeside() && !history.allows(history.acknowledged(), found) && isBeside(worker, name)) {
                    counts.beside++;
                } else {
                    judge(worker, name, history.acknowledged(), found);
                }
            }
        }
    }

    /** Returns true if the acknowledged state of a name is kept beside it. */
    private boolean isBeside(WorkerNode worker, FilePath name) throws IOException {
        long wanted = history(name).state();
        Object listed = ask(
                worker,
                mount -> mount.bdt()
                        .list(name.parent().orElseThrow(), "", MOST_ENTRIES)
                        .orElse(List.of()));
        for (Object entry : (List<?>) listed) {
            FilePath path = ((FileStatus) entry).path();
            if (path.value().startsWith(name.value() + ".recovered-") && found(this, worker, path) == wanted) {
                schedule.note("%d is kept as %s".formatted(wanted, path));
                return true;
            }
        }
        return false;
    }

    /** Reads all names of a mount that may have lost files. The files that are left have bytes that a client wrote. */
    void checkBytes() {
        for (FilePath name : names) {
            for (WorkerNode worker : workers) {
                try {
                    judge(worker, name, 0, found(this, worker, name));
                } catch (CorruptBlobException e) {
                    counts.wrong++;
                    schedule.note("%s is damaged: %s".formatted(name, e));
                } catch (IOException e) {
                    schedule.note("%s is lost: %s".formatted(name, e));
                }
            }
        }
    }
}
