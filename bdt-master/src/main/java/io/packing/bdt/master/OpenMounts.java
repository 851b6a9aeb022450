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
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
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
    private final Map<String, Mount> mounts = new ConcurrentHashMap<>();
    /** Mounts that other masters took over, until they are opened again. */
    private final Map<String, Mount> lost = new ConcurrentHashMap<>();
    /** The last request that opened each mount. */
    private final Map<String, MountRequest> requests = new ConcurrentHashMap<>();

    /** Mounts that were moved away, and where they are. */
    private final Map<String, MovedException> moved = new ConcurrentHashMap<>();
    /** Mounts that go to another group at this moment: a client that asks for one waits for the result. */
    private final MountSwitches switches = new MountSwitches();

    /** Mounts that are being closed because another master has them. */
    private final Map<String, Thread> leaving = new ConcurrentHashMap<>();

    private final Revivals revivals;
    private volatile Optional<Admission> admission = Optional.empty();
    private volatile BiConsumer<String, List<String>> onLoss = (mount, paths) -> {};

    /** @param onTrouble is run when {@link #problem} may have changed */
    OpenMounts(MountOpener opener, MasterMetrics metrics, LongSupplier nanos, Runnable onTrouble) {
        this.openings = new Openings(nanos);
        this.opener = opener;
        this.metrics = metrics;
        this.onTrouble = onTrouble;
        this.revivals = new Revivals(mounts::values, new Reopening(), onTrouble);
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
        return openings.one(request.id(), progress -> open(request, progress));
    }

    private Mount open(MountRequest request, RecoveryProgress progress) throws IOException {
        switches.await(request.id());
        Mount known = mounts.get(request.id());
        if (known != null && known.writer().isCurrent()) {
            opener.checkSame(request, known);
            return admitted(request, known, progress);
        }
        if (known != null) {
            leave(known);
        }
        Thread left = leaving.remove(request.id());
        if (left != null) {
            // It has the files of the table open.
            join(left);
        }
        Optional<Admission> asked = admission;
        Admission.Admitted admitted =
                asked.isPresent() ? asked.get().admit(request) : new Admission.Admitted(Optional.empty());
        Mount before = lost.get(request.id());
        if (before != null) {
            before.kill();
        }
        Mount opened = opener.wired(request, MountDrive.THREADS, progress);
        opened.upkeep().losses().whenFound(paths -> onLoss.accept(opened.id(), paths));
        opened.start();
        if (request.mayMake()) {
            adopt(request, opened);
        }
        asked.ifPresent(each -> each.opened(request, admitted));
        lost.remove(request.id());
        moved.remove(request.id());
        requests.put(request.id(), request);
        mounts.put(request.id(), opened);
        metrics.watch(opened);
        opened.onTrouble(onTrouble);
        opened.lease().whenLost(why -> lose(opened));
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
        Mount changed = openings.one(asked.id(), progress -> {
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
        Mount opened = openAnew(mount, progress);
        mount.replacedBy(opened);
        return opened;
    }

    private Mount openAnew(Mount mount, RecoveryProgress progress) throws IOException {
        MountRequest request = requests.get(mount.id());
        if (request == null) {
            throw new IllegalStateException("mount %s was never opened".formatted(mount.id()));
        }
        MountRequest again = request.again(mount.terms());
        if (mounts.remove(mount.id(), mount)) {
            metrics.forget(mount);
            mount.kill();
        }
        return open(again, progress);
    }

    /** Opens mounts in the place of those that a full disk stopped. */
    private final class Reopening implements Revivals.Opening {
        @Override
        public boolean hasSpace(Mount stopped) throws IOException {
            return opener.hasSpaceToOpen(stopped);
        }

        @Override
        public void reopen(Mount stopped) throws IOException {
            stopped.replacedBy(openings.one(stopped.id(), progress -> openAnew(stopped, progress)));
        }
    }

    /** Another master has the mount: clients must ask for it anew, and then learn its master. */
    private void lose(Mount mount) {
        lost.put(mount.id(), mount);
        boolean served = mounts.remove(mount.id(), mount);
        metrics.forget(mount);
        onTrouble.run();
        LOG.debug("mount {} is another master's; served until now: {}", mount.id(), served);
    }

    @Override
    public Mount mount(String id) throws IOException {
        switches.await(id);
        Mount mount = mounts.get(id);
        if (mount != null && !mount.writer().isCurrent()) {
            // Another master of the group may have changed the table since.
            leave(mount);
            mount = null;
        }
        MovedException to = mount == null ? moved.get(id) : null;
        if (to != null) {
            throw new MovedException(String.valueOf(to.getMessage()), to.group(), to.addresses());
        }
        if (mount == null) {
            throw new MountNotOpenException("mount '%s' is not open; open it with its options".formatted(id));
        }
        return mount;
    }

    /** The mounts that are going to another group. */
    MountSwitches switches() {
        return switches;
    }

    /** Another group has the mount now. */
    void moved(Mount mount, MovedException to) {
        moved.put(mount.id(), to);
        mount.writer().stop(to);
        leave(mount);
    }

    /** A mount that is open here, and how it was opened. */
    record Opened(Mount mount, MountRequest request) {}

    /** Empty when it is not open. */
    Optional<Opened> opened(String id) {
        Mount mount = mounts.get(id);
        MountRequest request = requests.get(id);
        return mount == null || request == null || !mount.writer().isCurrent()
                ? Optional.empty()
                : Optional.of(new Opened(mount, request.again(mount.terms())));
    }

    boolean isOpen(String id) {
        return opened(id).isPresent();
    }

    /** This master does not lead its group any more: another one opens the mounts. */
    void leaveAll() {
        mounts.values().forEach(this::leave);
    }

    private void leave(Mount mount) {
        if (mounts.remove(mount.id(), mount)) {
            metrics.forget(mount);
            LOG.info("mount {} is left to another master", mount.id());
            // It waits for threads that may be waiting for the group.
            Thread thread = new Thread(mount::kill, "bdt-leave-" + mount.id());
            leaving.put(mount.id(), thread);
            thread.start();
            onTrouble.run();
        }
    }

    /** Returns the fill of the fullest writer's queue, from 0 to 1. */
    double fullestQueue() {
        return all().stream()
                .mapToDouble(mount -> mount.writer().filled())
                .max()
                .orElse(0);
    }

    Collection<Mount> all() {
        return mounts.values();
    }

    /** Returns the progress of current openings, by mount. */
    Map<String, RecoveryProgress> openings() {
        return openings.underWay();
    }

    /** Returns the status of the mounts, in the order of their names. */
    List<MountStatus> status() {
        return mounts.values().stream()
                .sorted(Comparator.comparing(Mount::id))
                .map(Mount::status)
                .toList();
    }

    /** Tells a worker of any of them to leave, and how far that is, in the order of the mounts' names. */
    List<Departure> drain(String worker) {
        return mounts.values().stream()
                .sorted(Comparator.comparing(Mount::id))
                .flatMap(mount -> mount.drain(worker).stream())
                .toList();
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
        for (Mount mount : mounts.values()) {
            if (mount.id().equals(called) || mount.address().location().text().equals(store)) {
                return mount.acceptLosses();
            }
        }
        throw new IllegalArgumentException(
                "no open mount is called '%s'; packing mounts tells their names".formatted(called));
    }

    /** Returns the reason why only a restart helps; empty: there is none. */
    Optional<String> needsRestart() {
        return mounts.values().stream()
                .flatMap(mount -> mount.needsRestart().stream())
                .findFirst();
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
        lost.values().forEach(mount -> mount.lease().lost().ifPresent(why -> problems.add(why.getMessage())));
        mounts.values().forEach(mount -> mount.problem().ifPresent(problems::add));
        mounts.values().forEach(mount -> mount.notReady(named).ifPresent(problems::add));
        problems.addAll(revivals.problems());
        return problems.isEmpty() ? Optional.empty() : Optional.of(String.join("\n", problems));
    }

    /** Returns what fails at present although the master does its work. */
    List<String> notes() {
        return mounts.values().stream()
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
        for (Mount mount : mounts.values()) {
            Thread thread = new Thread(() -> end.accept(mount), "bdt-stop-" + mount.id());
            thread.start();
            ends.add(thread);
        }
        ends.forEach(OpenMounts::join);
        mounts.clear();
        lost.values().forEach(Mount::kill);
        lost.clear();
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
