// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.cluster;

import io.packing.bdt.Bdt;
import io.packing.bdt.Bdts;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.SessionExpiredException;
import io.packing.bdt.UnavailableException;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.WorkerSession;
import io.packing.bdt.master.BdtMaster;
import io.packing.bdt.master.BdtMasterOptions;
import io.packing.bdt.master.MasterSite;
import io.packing.bdt.master.Stores;
import io.packing.bdt.master.cloud.LeaseOptions;
import io.packing.bdt.master.table.LiveWorkers;
import io.packing.options.PriceTable;
import io.packing.simulation.schedule.Schedule;
import io.packing.sorted.SortedStore;
import io.packing.sorted.SortedStoreOptions;
import io.packing.store.ObjectStore;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The node of the master, and the ports by which others call it. */
final class MasterNode {
    private static final LeaseOptions LEASE =
            new LeaseOptions(Duration.ofSeconds(2), false, LiveWorkers.USUAL_LEASE, "master");

    /** Blobs of a schedule are small. They are compacted where requests cost nothing. */
    private static final PriceTable PRICES = new PriceTable(0, 0, 0, 0, 1, 1, 0, 1);

    private final SimulatedNode node;
    private final SimulatedNetwork network;
    private final StoreNode stores;
    private final StepRecords steps;
    private final Optional<SimulatedGroup> group;
    private Optional<BdtMaster> master = Optional.empty();
    private Optional<Bdt> open = Optional.empty();
    private long calls;
    private long firstCalls;

    /** @param group of which each life of the master is a member */
    MasterNode(
            SimulatedNode node,
            SimulatedNetwork network,
            StoreNode stores,
            StepRecords steps,
            Optional<SimulatedGroup> group) {
        this.steps = steps;
        this.group = group;
        this.node = node;
        this.network = network;
        this.stores = stores;
    }

    SimulatedNode node() {
        return node;
    }

    /** Starts the master's process, on a thread of its node. */
    void start() throws IOException {
        BdtMasterOptions options = new BdtMasterOptions(
                        node.root().resolve("bdt"), "master", 0, -1, SortedStoreOptions.Engine.LEVELDB, 1 << 20, 0)
                .leasing(LEASE)
                .pricing(PRICES);
        Stores own = new Stores() {
            @Override
            public SortedStore sorted(Path directory, SortedStoreOptions config) throws IOException {
                return node.table(directory);
            }

            @Override
            public ObjectStore objects(Map<String, String> of) {
                return stores.seenBy(node);
            }
        };
        master = Optional.of(
                group.isEmpty()
                        ? BdtMaster.start(options, own)
                        : BdtMaster.start(
                                options,
                                MasterSite.ofMember(
                                        new AtomicReference<>(options.stores()),
                                        own,
                                        group.get().elect(node))));
    }

    /** Returns true if the tables are those of a group, and outlive this node's disk. */
    boolean isMember() {
        return group.isPresent();
    }

    /** Returns the number of calls of sessions that were done, over all lives. */
    long calls() {
        return calls;
    }

    /** Returns the number of those that were the first of their kind in their session: few calls begin something. */
    long firstCalls() {
        return firstCalls;
    }

    private void called(boolean first) {
        calls++;
        firstCalls += first ? 1 : 0;
        Schedule.current().conditions().changed();
    }

    /** Lets the master's group elect a leader anew when it proposes one of its next entries. */
    void depose(int proposals) {
        group.ifPresent(of -> of.depose(proposals));
    }

    /** Returns true if the master leads its group as long as it lives. */
    boolean isQuiet() {
        return group.map(SimulatedGroup::isQuiet).orElse(true);
    }

    void ended() {
        steps.masterEnded();
        master = Optional.empty();
        open = Optional.empty();
    }

    /** Stops the master's process in order, on a thread of its node. */
    void stop() {
        Optional<BdtMaster> stopping = master;
        // Its port is closed first.
        master = Optional.empty();
        open = Optional.empty();
        stopping.ifPresent(BdtMaster::close);
    }

    private BdtMaster living() throws UnavailableException {
        return master.orElseThrow(() -> new UnavailableException("the master has not started"));
    }

    /** Returns the masters as a node calls them. */
    Bdts from(SimulatedNode caller) {
        return proxy(Bdts.class, (method, arguments) -> switch (method.getName()) {
            case "open" -> {
                @SuppressWarnings("unchecked")
                Map<String, String> options = (Map<String, String>) arguments[0];
                Bdt opened = (Bdt) network.call(caller, node, () -> opened(living(), options));
                yield table(caller, options, Objects.requireNonNull(opened));
            }
            case "close" -> null;
            default -> network.call(caller, node, () -> invoke(living(), method, arguments));
        });
    }

    /** @param opened answers, without a call, what a client learns when it opens a mount */
    private Bdt table(SimulatedNode caller, Map<String, String> options, Bdt opened) {
        return proxy(Bdt.class, (method, arguments) -> switch (method.getName()) {
            case "register" -> {
                BdtMaster[] by = new BdtMaster[1];
                WorkerSession session = (WorkerSession) network.call(caller, node, () -> {
                    by[0] = living();
                    Object registered = invoke(opened(by[0], options), method, arguments);
                    steps.registered(
                            (WorkerRegistration) arguments[0], (WorkerSession) Objects.requireNonNull(registered));
                    return registered;
                });
                String worker = ((WorkerRegistration) arguments[0]).worker();
                yield session(caller, Objects.requireNonNull(session), by[0], worker);
            }
            case "options", "encryptionKey", "withholdsPlaces" -> invoke(opened, method, arguments);
            case "close" -> null;
            default -> network.call(caller, node, () -> invoke(current(living(), options), method, arguments));
        });
    }

    /** Returns the mount as a master has it open; a server finds it by its name, and checks no options for each call. */
    private Bdt current(BdtMaster by, Map<String, String> options) throws IOException {
        Optional<Bdt> known = open.filter(by::isCurrent);
        Bdt opened = known.isPresent() ? known.get() : by.open(options);
        open = Optional.of(opened);
        return opened;
    }

    private Bdt opened(BdtMaster by, Map<String, String> options) throws IOException {
        Bdt opened = by.open(options);
        steps.serves(by);
        return opened;
    }

    private void check(BdtMaster by) throws IOException {
        if (living() != by) {
            throw new SessionExpiredException("the master has started again");
        }
    }

    private WorkerSession session(SimulatedNode caller, WorkerSession session, BdtMaster by, String worker) {
        StepRecords.OfSession recorded = steps.of(worker, session.sessionEpoch());
        Set<String> kinds = new HashSet<>();
        return proxy(WorkerSession.class, (method, arguments) -> switch (method.getName()) {
            case "sessionEpoch" -> session.sessionEpoch();
            case "close" -> null;
            case "together" -> {
                ((Runnable) arguments[0]).run();
                yield null;
            }
            case "claim" -> claim(caller, session, by, recorded, (Claim) arguments[0]);
            default -> {
                Callable<@Nullable Object> call = () -> {
                    check(by);
                    Object answer =
                            recorded.call(method.getName(), arguments, () -> invoke(session, method, arguments));
                    called(kinds.add(method.getName()));
                    return answer;
                };
                // A worker has the ids of its files from a range, and asks nothing for most of them.
                yield method.getName().equals("newFileId")
                        ? network.call(caller, node, call)
                        : network.callInSession(caller, node, call);
            }
        });
    }

    private CompletableFuture<ClaimResult> claim(
            SimulatedNode caller, WorkerSession session, BdtMaster by, StepRecords.OfSession recorded, Claim wanted) {
        CompletableFuture<ClaimResult> claimed = new CompletableFuture<>();
        CompletableFuture<?> unused = network.sendInSession(caller, node, () -> {
                    check(by);
                    ClaimResult result =
                            recorded.claim(wanted, () -> session.claim(wanted).get());
                    called(false);
                    return result;
                })
                .whenComplete((result, failure) -> {
                    boolean unusedEnd = failure == null
                            ? claimed.complete((ClaimResult) Objects.requireNonNull(result))
                            : claimed.completeExceptionally(cause(failure));
                });
        return claimed;
    }

    private static Throwable cause(Throwable failure) {
        Throwable cause = failure.getCause();
        boolean wraps = failure instanceof ExecutionException || failure instanceof CompletionException;
        return wraps && cause != null ? cause(cause) : failure;
    }

    /** An answer to a call of a port. */
    interface Answer {
        @Nullable
        Object to(Method method, Object[] arguments) throws Exception;
    }

    @SuppressWarnings("unchecked")
    static <T> T proxy(Class<T> port, Answer answer) {
        return (T) Proxy.newProxyInstance(
                port.getClassLoader(), new Class<?>[] {port}, (self, method, arguments) -> switch (method.getName()) {
                    case "toString" -> port.getSimpleName();
                    case "hashCode" -> 1;
                    case "equals" -> self == arguments[0];
                    default -> answer.to(method, arguments);
                });
    }

    static @Nullable Object invoke(Object target, Method method, Object[] arguments) throws Exception {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof Exception cause) {
                throw cause;
            }
            if (e.getCause() instanceof Error cause) {
                throw cause;
            }
            throw e;
        }
    }
}
