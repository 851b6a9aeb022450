// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.pack;

import io.packing.blob.BlobFill;
import io.packing.blob.SealPolicy;
import io.packing.sim.BrokenInvariantException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Queue;

/**
 * A packing worker (§4.3). It buffers files, and seals a blob when it is full or when the engine's own {@link SealPolicy}
 * says so. It pushes several blobs at a time, and makes creators wait while its buffer is full.
 */
final class WorkerModel {
    private record Blocked(int file, Runnable then) {}

    private final StackOptions.Packing config;
    private final StackOptions.Workers workers;
    private final EventQueue agenda;
    private final FileTable files;
    private final SimulatedBlobs blobs;
    private final StoreModel store;
    private final Link link;
    private final Layouts layouts;
    private final PackCounters counters;
    private final Comparator<Integer> order;
    private final Queue<Blocked> blocked = new ArrayDeque<>();
    private final SealPolicy rule;

    private List<Integer> waiting = new ArrayList<>();
    private double waitingStored;
    /** The files' own bytes among the waiting ones. */
    private double waitingBytes;

    /** The number of files at the beginning of {@link #waiting} that are due. */
    private int due;

    private long lastTaken;
    /** The number of the last timer; earlier timers do nothing. */
    private long timers;

    private long buffered;
    private int pushing;
    private long served;

    /** @param link to the store */
    WorkerModel(
            StackOptions config,
            EventQueue agenda,
            FileTable files,
            SimulatedBlobs blobs,
            StoreModel store,
            Link link,
            Layouts layouts,
            PackCounters counters) {
        this.config = config.packing();
        this.workers = config.workers();
        this.agenda = agenda;
        this.files = files;
        this.blobs = blobs;
        this.store = store;
        this.link = link;
        this.layouts = layouts;
        this.counters = counters;
        this.order = order(config.packing().policy());
        this.rule = new SealPolicy(
                new SealPolicy.SealOptions(
                        Duration.ofNanos(this.config.sealAfterNanos()),
                        Duration.ofNanos(this.config.sealQuietNanos()),
                        this.config.sealBudget() / config.store().prices().requests(1, 0, 0, 0)),
                agenda.now());
    }

    private Comparator<Integer> order(StackOptions.Policy policy) {
        return switch (policy) {
            case FIFO -> Comparator.<Integer>naturalOrder();
            case DIRECTORY ->
                Comparator.<Integer>comparingInt(file -> files.directory(file)).thenComparing(file -> file);
            case SIZE ->
                Comparator.<Integer>comparingLong(file -> files.size(file)).thenComparing(file -> file);
        };
    }

    /** Takes a file's bytes in its turn; then runs {@code then}. */
    void write(int file, Runnable then) {
        served = Math.max(served, agenda.now()) + Math.round(1e9 / workers.rate());
        agenda.at(served, () -> arrive(file, then));
    }

    private void arrive(int file, Runnable then) {
        // Waiting files keep their order: no file overtakes them.
        if (!blocked.isEmpty() || !fits(file)) {
            counters.waitsForRoom++;
            blocked.add(new Blocked(file, then));
            return;
        }
        take(file, then);
    }

    private boolean fits(int file) {
        // A file larger than the whole buffer goes through it in slices.
        return buffered == 0 || buffered + files.size(file) <= config.bufferBytes();
    }

    private void take(int file, Runnable then) {
        long size = files.size(file);
        buffered += size;
        counters.mostBuffered = Math.max(counters.mostBuffered, buffered);
        counters.localBytes += size;
        counters.lastClosed = agenda.now();
        counters.row(1);
        files.close(file, agenda.now());
        lastTaken = agenda.now();
        if (size >= config.spillBytes()) {
            pushLarge(file);
        } else {
            waiting.add(file);
            waitingStored += stored(file);
            waitingBytes += size;
            if (waiting.size() == 1) {
                due = 0;
                open();
            }
            sealWhatIsDue();
        }
        then.run();
    }

    /** Opens a blob with the first file that is not due yet. */
    private void open() {
        if (due < waiting.size()) {
            rule.opened(first());
            askLater();
        }
    }

    private long first() {
        return files.closedAt(waiting.get(due));
    }

    private void askLater() {
        long timer = ++timers;
        long next = rule.next(first(), lastTaken, agenda.now());
        agenda.at(Math.max(next, agenda.now()), () -> ask(timer));
    }

    private void ask(long timer) {
        if (timer != timers || due >= waiting.size()) {
            return;
        }
        Optional<SealPolicy.Cause> cause = rule.due(first(), lastTaken, agenda.now());
        if (cause.isEmpty()) {
            askLater();
            return;
        }
        // All waiting files are sealed with the first due one.
        rule.sealed(cause, first(), lastTaken, agenda.now());
        due = waiting.size();
        sealWhatIsDue();
    }

    private void sealWhatIsDue() {
        while (pushing < config.pushes() && !waiting.isEmpty()) {
            boolean full = BlobFill.isFull(waitingBytes, waitingStored, config.blobBytes());
            if (!full && due == 0) {
                return;
            }
            counters.sealedBySize += full ? 1 : 0;
            counters.sealedByAge += full ? 0 : 1;
            if (full && due == 0) {
                rule.sealed(Optional.empty(), first(), lastTaken, agenda.now());
            }
            seal(full);
        }
    }

    /** Seals the first blob's worth of files in the policy's order. While all pushes are busy, younger files join. */
    private void seal(boolean full) {
        boolean arrivalOrder = config.policy() == StackOptions.Policy.FIFO;
        if (!arrivalOrder) {
            waiting.sort(order);
        }
        double stored = 0;
        double bytes = 0;
        int count = 0;
        while (count < waiting.size() && (count == 0 || !BlobFill.isFull(bytes, stored, config.blobBytes()))) {
            stored += stored(waiting.get(count));
            bytes += files.size(waiting.get(count));
            count++;
        }
        List<Integer> chosen = List.copyOf(waiting.subList(0, count));
        waiting = new ArrayList<>(waiting.subList(count, waiting.size()));
        if (!arrivalOrder) {
            waiting.sort(Comparator.naturalOrder());
        }
        due = full ? Math.max(0, Math.min(waiting.size(), due - count)) : 0;
        waitingStored = waiting.isEmpty() ? 0 : waitingStored - stored;
        waitingBytes = waiting.isEmpty() ? 0 : waitingBytes - bytes;
        if (due == 0) {
            open();
        }
        List<Integer> sealed = chosen.stream().filter(file -> !files.gone(file)).toList();
        if (!sealed.isEmpty()) {
            push(sealed, arrivalOrder, full && arrivalOrder ? begun(chosen.get(0)) : agenda.now());
        }
        long dropped = 0;
        for (int file : chosen) {
            dropped += files.gone(file) ? files.size(file) : 0;
        }
        release(dropped);
    }

    /** Returns the time at which the push of a full blob began, whose first file this is. */
    private long begun(int first) {
        long now = agenda.now();
        long filling = now - files.closedAt(first);
        return filling <= config.pushAheadNanos() ? now - Math.round(filling * (1 - PackingSetup.BEGUN)) : now;
    }

    /** @param begun time at which the store received the first byte */
    private void push(List<Integer> sealed, boolean arrivalOrder, long begun) {
        int blob = blobs.add();
        double body = 0;
        double footer = 0;
        long content = 0;
        for (int file : sealed) {
            BlobLayout layout = layouts.of(files.size(file));
            body += arrivalOrder ? layout.recordPerFile() : 0;
            files.place(file, FileTable.SEALED, Math.round(body));
            body += files.size(file);
            footer += layout.footerPerFile();
            content += files.size(file);
        }
        double fixed = layouts.of(files.size(sealed.get(0))).fixed();
        long bytes = Math.round(body + footer + fixed);
        long of = content;
        blobs.sealed(blob, Math.round(body));
        pushing++;
        // In arrival order the segment becomes the blob; any other order is a second copy.
        long copied = arrivalOrder ? Math.round(footer) : bytes;
        counters.localBytes += copied;
        agenda.after(
                Math.round(copied / workers.diskBytes() * 1e9),
                () -> store.request(
                        SimulatedRequestKind.PUT, bytes, link, begun, () -> pushed(sealed, blob, bytes, of)));
    }

    private void pushed(List<Integer> sealed, int blob, long bytes, long content) {
        pushing--;
        counters.blobs++;
        counters.blobBytes += bytes;
        for (int file : sealed) {
            files.place(file, blob, files.offset(file));
            counters.durable(files.closedAt(file), agenda.now(), files.size(file));
        }
        release(content);
        sealWhatIsDue();
    }

    /** Pushes a large file as a blob of its own, or as several. */
    private void pushLarge(int file) {
        long size = files.size(file);
        files.place(file, FileTable.SEALED, 0);
        int parts = (int) ((size + config.blobBytes() - 1) / config.blobBytes());
        int first = blobs.count();
        int[] left = new int[] {parts};
        double overhead = layouts.of(size).footerPerFile() + layouts.of(size).fixed();
        for (int i = 0; i < parts; i++) {
            long body = Math.min(config.blobBytes(), size - i * config.blobBytes());
            long bytes = Math.round(body + overhead);
            int blob = blobs.add();
            blobs.sealed(blob, body);
            store.request(SimulatedRequestKind.PUT, bytes, link, () -> {
                counters.blobs++;
                counters.blobBytes += bytes;
                if (--left[0] == 0) {
                    files.place(file, first, 0);
                    counters.durable(files.closedAt(file), agenda.now(), size);
                    release(size);
                }
            });
        }
    }

    private void release(long bytes) {
        buffered -= bytes;
        if (bytes == 0) {
            return;
        }
        while (!blocked.isEmpty() && fits(blocked.element().file())) {
            Blocked first = blocked.remove();
            take(first.file(), first.then());
        }
    }

    private double stored(int file) {
        long size = files.size(file);
        BlobLayout layout = layouts.of(size);
        return size
                + layout.footerPerFile()
                + (config.policy() == StackOptions.Policy.FIFO ? layout.recordPerFile() : 0);
    }

    /** Requires that no file is left behind. */
    void check() {
        BrokenInvariantException.same("bytes left in a buffer", 0, buffered);
        BrokenInvariantException.same("files that still wait", 0, waiting.size() + (long) blocked.size());
        BrokenInvariantException.same("pushes that did not end", 0, pushing);
    }
}
