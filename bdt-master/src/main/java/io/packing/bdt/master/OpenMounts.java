// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import io.packing.bdt.Departure;
import io.packing.bdt.MountStatus;
import io.packing.bdt.MovedException;
import io.packing.bdt.master.cloud.RecoveryProgress;
import io.packing.bdt.master.rpc.KnownMounts;
import io.packing.bdt.master.rpc.OpenCall;
import io.packing.bdt.master.rpc.ServedMounts;
import io.packing.bdt.rpc.MountNotOpenException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The mounts that a master has open, and those that other masters took over from it. Thread-safe. */
final class OpenMounts implements ServedMounts {
    private static final Logger LOG = LoggerFactory.getLogger(OpenMounts.class);
    /** For how long a stop waits for mounts that are being opened. */
    private static final long OPENINGS_MILLIS = 5_000;

    private final MountOpener opener;
    private final MasterMetrics metrics;
    private final Runnable onTrouble;
    private final Openings openings;
    /** The mounts that were asked for since the start. */
    private final Map<String, MountSlot<Mount, MountRequest>> slots = new ConcurrentSkipListMap<>();

    private final Revivals revivals;
    private volatile Optional<Admission> admission = Optional.empty();
    private volatile BiConsumer<String, List<String>> onLoss = (mount, paths) -> {};

    /** @param onTrouble is run when {@link #problem} may have changed */
    OpenMounts(MountOpener opener, MasterMetrics metrics, LongSupplier nanos, Runnable onTrouble) {
        this.openings = new Openings(nanos);
        this.opener = opener;
        this.metrics = metrics;
        this.onTrouble = onTrouble;
        this.revivals = new Revivals(this::all, Revivals.Opening.of(this, opener), onTrouble);
    }

    /** Begins to open mounts again that a full disk stopped. */
    void start() {
        revivals.start();
    }

    /** Opens only what the table of mounts says is this group's. */
    void admitBy(Admission other) {
        admission = Optional.of(other);
    }

    @Override
    public KnownMounts known() {
        return opener.known();
    }

    /** Opens a mount for an operator, or for a caller in this process. */
    Mount open(Map<String, String> options) throws IOException {
        return open(OpenCall.of(options));
    }

    @Override
    public Mount open(OpenCall call) throws IOException {
        MountRequest request;
        try {
            request = opener.check(call);
        } catch (StoreNotAllowedException e) {
            Optional<Admission> asked = admission;
            if (asked.isPresent()) {
                asked.get().sendOn(e.store());
            }
            throw e;
        }
        MountRequest asked = isOpen(request.id())
                ? request
                : openings.before(() -> opener.finder().called(request));
        MountSlot<Mount, MountRequest> slot = slot(asked.id());
        return openings.one(slot, progress -> open(slot, asked, progress));
    }

    /** Returns the state of a mount. */
    MountSlot<Mount, MountRequest> slot(String id) {
        return slots.computeIfAbsent(id, MountSlot::new);
    }

    private Mount open(MountSlot<Mount, MountRequest> slot, MountRequest request, RecoveryProgress progress)
            throws IOException {
        slot.awaitThaw();
        Optional<Mount> known = slot.open().map(MountSlot.Open::mount);
        if (known.isPresent() && known.get().writer().isCurrent()) {
            opener.checkSame(request, known.get());
            return admitted(request, known.get(), progress);
        }
        known.ifPresent(mount -> leave(slot, mount));
        // It has the files of the table open.
        slot.ending().ifPresent(OpenMounts::join);
        slot.opening(progress);
        try {
            return openNew(slot, request, progress);
        } finally {
            slot.failed();
        }
    }

    private Mount openNew(MountSlot<Mount, MountRequest> slot, MountRequest request, RecoveryProgress progress)
            throws IOException {
        Optional<Admission> asked = admission;
        Admission.Admitted admitted =
                asked.isPresent() ? asked.get().admit(request) : new Admission.Admitted(Optional.empty());
        slot.lost().ifPresent(Mount::kill);
        Mount opened = opener.open(request, MountDrive.THREADS, progress);
        opened.upkeep().losses().whenFound(paths -> onLoss.accept(opened.id(), paths));
        opened.start();
        if (request.mayMake()) {
            adopt(request, opened);
        }
        asked.ifPresent(each -> each.opened(request, admitted));
        slot.opened(opened, opener.finder().present(request));
        metrics.watch(opened);
        opened.onTrouble(onTrouble);
        opened.lease().whenLost(why -> lose(slot, opened));
        // A caller refused here has still opened the mount for others.
        check(request, opened);
        return opened;
    }

    /** Stores the options of the opener in a table that has none, before any client uses the mount. */
    private static void adopt(MountRequest request, Mount opened) throws IOException {
        try {
            opened.adopt(request.terms());
        } catch (IOException | RuntimeException e) {
            opened.kill();
            throw e;
        }
    }

    private static void check(MountRequest request, Mount opened) {
        if (!request.call().again()) {
            opened.keptTerms().check(request.terms());
        }
    }

    /** Returns the open mount, if the caller may use it as requested. */
    private Mount admitted(MountRequest request, Mount known, RecoveryProgress progress) throws IOException {
        if (request.create()) {
            throw MountMaking.there(request);
        }
        if (request.mayMake()) {
            known.adopt(request.terms());
        }
        check(request, known);
        return inForce(known, progress);
    }

    @Override
    public Mount change(String id, Map<String, String> options) throws IOException {
        Mount asked = mount(id);
        Mount changed = openings.one(slot(asked.id()), progress -> {
            Mount known = mount(id);
            known.keptTerms().say(known.terms().with(options), known.table(), true);
            return inForce(known, progress);
        });
        changed.upkeep().uploadJournalNow();
        return changed;
    }

    /** The mount with the options that were said last: opened anew where it works by others. */
    private Mount inForce(Mount mount, RecoveryProgress progress) throws IOException {
        if (mount.keptTerms().areInForce()) {
            return mount;
        }
        return openAnew(mount, again(mount), progress);
    }

    private MountRequest again(Mount mount) {
        return slot(mount.id())
                .request()
                .orElseThrow(() -> new IllegalStateException("mount %s was never opened".formatted(mount.id())))
                .again(mount.terms());
    }

    private Mount openAnew(Mount mount, MountRequest again, RecoveryProgress progress) throws IOException {
        MountSlot<Mount, MountRequest> slot = slot(mount.id());
        if (slot.closed(mount)) {
            metrics.forget(mount);
            mount.kill();
        }
        Mount opened = open(slot, again, progress);
        mount.replacedBy(opened);
        return opened;
    }

    /** Opens a mount in the place of one that stopped, or that goes to another place. */
    void reopen(Mount mount, Relocation to) throws IOException {
        Mount opened =
                openings.one(slot(mount.id()), progress -> openAnew(mount, to.next(mount, again(mount)), progress));
        LOG.debug("mount {} is open anew", opened.id());
    }

    /** Another master has the mount: clients must ask for it anew, and then learn its master. */
    private void lose(MountSlot<Mount, MountRequest> slot, Mount mount) {
        boolean served = slot.lost(mount);
        metrics.forget(mount);
        onTrouble.run();
        LOG.debug("mount {} is another master's; served until now: {}", mount.id(), served);
    }

    @Override
    public Mount mount(String id) throws IOException {
        MountSlot<Mount, MountRequest> slot = slots.get(id);
        if (slot != null) {
            slot.awaitThaw();
            Optional<Mount> mount = slot.open().map(MountSlot.Open::mount);
            if (mount.isPresent() && mount.get().writer().isCurrent()) {
                return mount.get();
            }
            // Another master of the group may have changed the table since.
            mount.ifPresent(old -> leave(slot, old));
            Optional<MovedException> to = slot.movedTo();
            if (to.isPresent()) {
                throw new MovedException(
                        String.valueOf(to.get().getMessage()),
                        to.get().group(),
                        to.get().addresses());
            }
        }
        throw new MountNotOpenException("mount '%s' is not open; open it with its options".formatted(id));
    }

    /** Another group has the mount now. */
    void moved(Mount mount, MovedException to) {
        mount.writer().stop(to);
        if (slot(mount.id()).moved(mount, to, ending(mount))) {
            hasLeft(mount);
        }
    }

    /** Returns the open mount, and the request that would open it again; empty: it is not open. */
    Optional<MountSlot.Open<Mount, MountRequest>> opened(String id) {
        return Optional.ofNullable(slots.get(id))
                .flatMap(MountSlot::open)
                .filter(open -> open.mount().writer().isCurrent())
                .map(open -> new MountSlot.Open<>(
                        open.mount(), open.request().again(open.mount().terms())));
    }

    boolean isOpen(String id) {
        return opened(id).isPresent();
    }

    /** This master does not lead its group any more: another one opens the mounts. */
    void leaveAll() {
        for (MountSlot<Mount, MountRequest> slot : slots.values()) {
            slot.open().ifPresent(open -> leave(slot, open.mount()));
        }
    }

    private void leave(MountSlot<Mount, MountRequest> slot, Mount mount) {
        if (slot.left(mount, ending(mount))) {
            hasLeft(mount);
        }
    }

    /** Makes the thread that closes a mount. It waits for threads that may be waiting for the group. */
    private static Thread ending(Mount mount) {
        return new Thread(mount::kill, "bdt-leave-" + mount.id());
    }

    private void hasLeft(Mount mount) {
        metrics.forget(mount);
        LOG.info("mount {} is left to another master", mount.id());
        onTrouble.run();
    }

    /** Returns the fill of the fullest writer's queue, from 0 to 1. */
    double fullestQueue() {
        return all().stream()
                .mapToDouble(mount -> mount.writer().filled())
                .max()
                .orElse(0);
    }

    /** Returns the open mounts, in the order of their names. */
    Collection<Mount> all() {
        return slots.values().stream()
                .flatMap(slot -> slot.open().stream())
                .map(MountSlot.Open::mount)
                .toList();
    }

    /** Returns the progress of current openings, by mount. */
    Map<String, RecoveryProgress> openings() {
        Map<String, RecoveryProgress> openings = new TreeMap<>();
        slots.forEach((id, slot) -> slot.progress().ifPresent(progress -> openings.put(id, progress)));
        return openings;
    }

    /** Returns the status of the mounts, in the order of their names. */
    List<MountStatus> status() {
        return all().stream().map(Mount::status).toList();
    }

    /** Tells a worker of any of them to leave, and how far that is, in the order of the mounts' names. */
    List<Departure> drain(String worker) {
        return all().stream().flatMap(mount -> mount.drain(worker).stream()).toList();
    }

    /**
     * Goes on with a mount without what a recovery could not read, and without lost bytes that no file of the present has.
     *
     * @param called its name, or where its store is
     * @return what is gone, for people
     */
    List<String> accept(String called) throws IOException {
        // As users write packing.store.
        String store = called.replaceFirst("/+$", "");
        for (Mount mount : all()) {
            if (mount.id().equals(called) || mount.address().location().text().equals(store)) {
                return mount.acceptLosses();
            }
        }
        throw new IllegalArgumentException(
                "no open mount is called '%s'; packing mounts tells their names".formatted(called));
    }

    /** Returns the reason why only a restart helps; empty: there is none. */
    Optional<String> needsRestart() {
        return all().stream().flatMap(mount -> mount.needsRestart().stream()).findFirst();
    }

    /** Sets the listener for files that are found to be lost, by the name of their mount. */
    void whenLost(BiConsumer<String, List<String>> told) {
        onLoss = told;
    }

    /**
     * Returns the reason why operators must see to a mount: the master does not do its work, or users miss something; empty: there is
     * none.
     *
     * @param named whether the caller may learn names of files
     */
    Optional<String> problem(boolean named) {
        List<String> problems = new ArrayList<>();
        for (MountSlot<Mount, MountRequest> slot : slots.values()) {
            slot.lost().flatMap(mount -> mount.lease().lost()).ifPresent(why -> problems.add(why.getMessage()));
        }
        all().forEach(mount -> mount.problem().ifPresent(problems::add));
        all().forEach(mount -> mount.notReady(named).ifPresent(problems::add));
        problems.addAll(revivals.problems());
        return problems.isEmpty() ? Optional.empty() : Optional.of(String.join("\n", problems));
    }

    /** Returns what fails at present although the master does its work. */
    List<String> notes() {
        return all().stream()
                .flatMap(mount -> mount.notes().stream().map(note -> "mount %s: %s".formatted(mount.id(), note)))
                .toList();
    }

    /**
     * Opens none any more and ends all, at the same time.
     *
     * @return whether none is being opened any more
     */
    boolean stop(Consumer<Mount> end) {
        revivals.close();
        boolean opened = openings.end(OPENINGS_MILLIS);
        List<Thread> ends = new ArrayList<>();
        for (Mount mount : all()) {
            Thread thread = new Thread(() -> end.accept(mount), "bdt-stop-" + mount.id());
            thread.start();
            ends.add(thread);
        }
        ends.forEach(OpenMounts::join);
        for (MountSlot<Mount, MountRequest> slot : slots.values()) {
            slot.lost().ifPresent(Mount::kill);
            slot.ended();
        }
        return opened;
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
