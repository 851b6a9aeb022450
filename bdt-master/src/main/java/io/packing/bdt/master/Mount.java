// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import io.packing.bdt.BdtOptions;
import io.packing.bdt.Departure;
import io.packing.bdt.MountStatus;
import io.packing.bdt.SharedMountOptions;
import io.packing.bdt.UnavailableException;
import io.packing.bdt.WorkerInfo;
import io.packing.bdt.master.cloud.JournalBarrier;
import io.packing.bdt.master.cloud.KeptMountOptions;
import io.packing.bdt.master.cloud.MountLease;
import io.packing.bdt.master.cloud.MountPlaces;
import io.packing.bdt.master.log.MountWriter;
import io.packing.bdt.master.rpc.ServedMount;
import io.packing.bdt.master.table.Table;
import io.packing.bdt.master.table.WorkerOrders;
import io.packing.bdt.master.table.change.Mutation;
import io.packing.bdt.master.table.read.CollectionTimes;
import io.packing.bdt.master.upkeep.BlobEvacuation;
import io.packing.bdt.master.upkeep.Upkeep;
import io.packing.bdt.master.upkeep.UpkeepPart;
import io.packing.store.RequestMeter;
import io.packing.store.StoreAddress;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An open mount: its table, and the threads that write it, clean it and back it up. */
final class Mount implements ServedMount {
    private static final Logger LOG = LoggerFactory.getLogger(Mount.class);
    /** The writer's longest wait for mutations; a new mutation or a stop wakes it. */
    private static final long IDLE_MILLIS = 1_000;
    /** The longest wait for the end of a stopped thread. */
    private static final long STOP_MILLIS = 10_000;

    private final String id;
    private final StoreAddress address;
    private final Path folder;
    private final Table table;
    private final MountWriter writer;
    private final ExecutorService answers;
    private final Upkeep upkeep;
    private final JournalBarrier barrier;
    private final UnreadObjects unread;
    private final MountLease lease;
    private final RequestMeter meter;
    private final KeptMountOptions terms;
    private final MountPlaces places;
    private final Thread writerThread;
    private final UpkeepThread upkeepThread;
    private final Thread journalThread;
    private final CountDownLatch stopSignal = new CountDownLatch(1);
    private final AtomicBoolean stopped = new AtomicBoolean();
    private volatile boolean stopping;
    private volatile Runnable onTrouble = () -> {};
    private volatile Optional<String> barrierEnded = Optional.empty();
    private volatile @Nullable Mount successor;
    /** True if the last step of upkeep ended with a problem. Confined to its thread. */
    private boolean ill;

    private long wrote;

    /**
     * @param folder on this disk
     * @param lease that is being renewed
     * @param meter of what is asked of the store
     * @param terms which it has for all who use it
     * @param places of its objects
     */
    Mount(
            String id,
            StoreAddress address,
            Path folder,
            Table table,
            MountWriter writer,
            ExecutorService answers,
            Upkeep upkeep,
            MountLease lease,
            RequestMeter meter,
            KeptMountOptions terms,
            MountPlaces places) {
        this.id = id;
        this.places = places;
        this.terms = terms;
        this.address = address;
        this.folder = folder;
        this.lease = lease;
        this.meter = meter;
        this.table = table;
        this.writer = writer;
        this.answers = answers;
        this.upkeep = upkeep;
        this.barrier = upkeep.uploader().barrier();
        this.unread = new UnreadObjects(id, table);
        this.writerThread = new Thread(this::write, "bdt-writer-" + id);
        this.upkeepThread =
                new UpkeepThread(id, upkeep::step, UpkeepThread.LONGEST, this::tellChange, () -> onTrouble.run());
        this.journalThread = new Thread(this::uploadJournal, "bdt-journal-" + id);
    }

    /** Starts the threads. A mount that is not started is stepped, by its writer, its upkeep and its lease. */
    void start() {
        writerThread.start();
        upkeepThread.start();
        journalThread.start();
    }

    /** Has the writer do something before anything else. Called before {@link #start}. */
    void doFirst(Mutation<Boolean> mutation) {
        CompletableFuture<Boolean> unused = writer.submit(mutation).whenComplete((done, failure) -> {
            if (failure != null) {
                LOG.warn("mount {}: what was to be done first failed; the next start repeats it", id, failure);
            }
        });
    }

    @Override
    public String encryptionKey() {
        return terms().get(BdtOptions.ENCRYPTION_KEY);
    }

    @Override
    public SharedMountOptions terms() {
        return terms.told();
    }

    KeptMountOptions keptTerms() {
        return terms;
    }

    /** Sets what a maker names, unless something was set before. */
    void adopt(SharedMountOptions named) throws IOException {
        if (!terms.isSaid()) {
            terms.say(terms.adopting(named), table, false);
        }
    }

    /** Names the mount that the same master opened in the place of this one. */
    void replacedBy(Mount other) {
        successor = other;
    }

    /** This mount, or the one that has its place by now. */
    Mount latest() {
        Mount latest = this;
        for (Mount next = successor; next != null; next = next.successor) {
            latest = next;
        }
        return latest;
    }

    @Override
    public String id() {
        return id;
    }

    /** Returns the address of the blobs' store. */
    StoreAddress address() {
        return address;
    }

    /** By which other masters know that this one has the mount. */
    MountLease lease() {
        return lease;
    }

    /** Returns the meter of this master's requests to the store since it opened the mount. */
    RequestMeter meter() {
        return meter;
    }

    @Override
    public Table table() {
        return table;
    }

    @Override
    public CollectionTimes collectionTimes() {
        return upkeep.collectionTimes();
    }

    MountWriter writer() {
        return writer;
    }

    Upkeep upkeep() {
        return upkeep;
    }

    /** Is run, on a thread of the mount, when {@link #problem} begins, changes or ends. */
    void onTrouble(Runnable told) {
        onTrouble = told;
    }

    /** Why operators must see to the mount; empty when it does its work. */
    Optional<String> problem() {
        String problems = Stream.of(
                        writer.problem(),
                        upkeepThread.problem(),
                        barrierEnded,
                        upkeep.problem(),
                        lease.problem(),
                        unread.problem())
                .flatMap(Optional::stream)
                .collect(Collectors.joining("; "));
        return problems.isEmpty() ? Optional.empty() : Optional.of("mount %s: %s".formatted(id, problems));
    }

    /** Returns the reason why only a restart of the master helps; empty: there is none. */
    Optional<String> needsRestart() {
        Optional<String> stopped = writer.isStoppedByFullDisk() ? Optional.empty() : writer.problem();
        return Stream.of(stopped, upkeepThread.problem(), barrierEnded)
                .flatMap(Optional::stream)
                .findFirst()
                .map(why -> "mount %s: %s".formatted(id, why));
    }

    /** Returns the needs of the mount's users that are not met, with names of files if these may be told; empty: all are met. */
    Optional<String> notReady(boolean named) {
        return new MountNeeds(table.standing(), upkeep.losses())
                .unmet(named)
                .map(why -> "mount %s: %s".formatted(id, why));
    }

    /** Goes on without what a recovery could not read, and without lost bytes that no file has; returns what that was, for people. */
    List<String> acceptLosses() throws IOException {
        List<String> accepted = new ArrayList<>(unread.accept());
        upkeep.losses().acceptPast().ifPresent(accepted::add);
        onTrouble.run();
        return accepted;
    }

    /** Returns what operators may want to know, and need not see to at once. */
    List<String> notes() {
        return Stream.concat(unread.note().stream(), upkeep.troubles().stream().map(UpkeepPart.Trouble::toString))
                .toList();
    }

    /** Returns the mount's status, for operators. */
    MountStatus status() {
        return StatusOfMount.of(this);
    }

    /** Returns the places of the mount's objects. */
    MountPlaces places() {
        return places;
    }

    @Override
    public BlobEvacuation evacuation() {
        return upkeep.evacuation();
    }

    @Override
    public WorkerOrders copies() {
        return upkeep.copies();
    }

    /** Tells a worker to leave; returns how far it is; empty: the mount has no such worker. */
    Optional<Departure> drain(String worker) {
        return table.drain(worker)
                .map(state -> new Departure(
                        id,
                        address.location().text(),
                        state,
                        table.leaving(worker).map(WorkerInfo::bufferedFiles).orElse(0L),
                        table.leaving(worker).map(WorkerInfo::bufferedBytes).orElse(0L)));
    }

    /** Uploads whatever a recovery would miss. */
    @Override
    public void checkpoint() throws IOException {
        upkeep.checkpoint();
    }

    /**
     * Backs up, gives the mount up, and closes, in not much more than this time: what the backing store does not take in it
     * is left to the next start.
     *
     * @return what is left, for people; empty when the store has everything
     */
    Optional<String> close(Duration most) {
        return stop(Optional.of(most));
    }

    /** Ends as a crash would: nothing is backed up, the mount is not given up. */
    void kill() {
        Optional<String> nothing = stop(Optional.empty());
        LOG.debug("mount {} ended without a backup: {}", id, nothing);
    }

    private Optional<String> stop(Optional<Duration> most) {
        if (!stopped.compareAndSet(false, true)) {
            return Optional.empty();
        }
        stopping = true;
        stopSignal.countDown();
        upkeepThread.stop();
        Optional<String> left = Optional.empty();
        if (most.isPresent()) {
            long half = most.get().toMillis() / 2 + 1;
            if (!upkeepThread.awaitEnd(half)) {
                LOG.info("mount {}: background work is broken off; the next start repeats it", id);
                upkeepThread.interrupt();
            }
            left = new LastBackup(id, folder, table, writer, upkeep, lease).run(half);
        } else {
            upkeepThread.interrupt();
        }
        lease.stop();
        upkeep.close();
        UnavailableException why = new UnavailableException("the master is stopping");
        barrier.end(why);
        writer.stop(why);
        journalThread.interrupt();
        closeTable();
        return left;
    }

    private void closeTable() {
        boolean writerEnded = UpkeepThread.ended(writerThread, STOP_MILLIS);
        answers.shutdown();
        try {
            boolean complete = writerEnded
                    && upkeepThread.awaitEnd(STOP_MILLIS)
                    && UpkeepThread.ended(journalThread, STOP_MILLIS)
                    && answers.awaitTermination(STOP_MILLIS, TimeUnit.MILLISECONDS);
            if (!complete) {
                LOG.warn("mount {}: what was under way has not ended yet", id);
            }
            writer.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            LOG.warn("mount {} did not close cleanly; the log repairs that at the next start", id, e);
        }
    }

    private void write() {
        try {
            boolean told = false;
            while (!stopping || writer.isTaking()) {
                if (writer.step(IDLE_MILLIS)) {
                    wrote++;
                    upkeepThread.changed();
                }
                if (!told && !writer.isTaking()) {
                    told = true;
                    onTrouble.run();
                }
            }
        } catch (Throwable e) {
            if (stopping && e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
                return;
            }
            LOG.error("mount {}: its writer ends", id, e);
            writer.stop(new UnavailableException("its writer ended (%s); restart the master".formatted(e), e));
            onTrouble.run();
        }
        LOG.debug("mount {}: wrote {} groups", id, wrote);
    }

    private void uploadJournal() {
        try {
            barrier.run(stopSignal);
        } catch (InterruptedException e) {
            LOG.debug("mount {}: the upload of its journal is broken off", id);
        } catch (Throwable e) {
            LOG.error("mount {}: its journal is not uploaded at once any more", id, e);
            barrierEnded =
                    Optional.of("the thread that uploads its journal ended (%s); restart the master".formatted(e));
            onTrouble.run();
        }
    }

    /** Reports the start and end of a problem. Failed uploads become one only after a while, and only this step notices it. */
    private void tellChange() {
        boolean now = problem().isPresent() || notReady(false).isPresent();
        if (now != ill) {
            ill = now;
            onTrouble.run();
        }
    }
}
