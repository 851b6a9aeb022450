// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.cluster;

import io.packing.bdt.UnavailableException;
import io.packing.simulation.schedule.AwaitedAnswer;
import io.packing.simulation.schedule.Machine;
import io.packing.simulation.schedule.MachineThreads;
import io.packing.simulation.schedule.Schedule;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The calls between nodes. A call runs on a thread of the node that it asks, and its answer on one of the node that asked. The network
 * delays it, and loses it before or after it took effect. A call to a node that ends fails, as its connection would.
 */
final class SimulatedNetwork {
    /** The asking side of a call. */
    private interface Asking {
        /** Takes an answer that arrives after a time. */
        void answer(@Nullable Object result, @Nullable Throwable failure, long wayNanos);

        /** Learns that the connection is broken. */
        void broken(UnavailableException failure);
    }

    /** @param site of production that sent the call */
    private record Pending(Machine to, Asking asking, int site) {}

    private final Schedule schedule;
    private final Swarm swarm;
    private final ScheduleCounts counts;
    private final List<Pending> pending = new ArrayList<>();
    private final Set<Set<String>> apart = new HashSet<>();
    /** The calls of processes whose sessions stall. */
    private final Map<Machine, List<Runnable>> held = new HashMap<>();

    private boolean healed;

    SimulatedNetwork(Schedule schedule, Swarm swarm, ScheduleCounts counts) {
        this.schedule = schedule;
        this.swarm = swarm;
        this.counts = counts;
    }

    private Random random() {
        return schedule.random();
    }

    /** Ends all faults of the network. */
    void heal() {
        healed = true;
        apart.clear();
        List.copyOf(held.keySet()).forEach(this::release);
    }

    /** Lets no message pass between two nodes. */
    void separate(SimulatedNode one, SimulatedNode other) {
        if (one != other) {
            apart.add(pair(one, other));
        }
    }

    private static Set<String> pair(SimulatedNode one, SimulatedNode other) {
        return new TreeSet<>(List.of(one.name(), other.name()));
    }

    /** Holds calls of a process's sessions back. A kernel sends the bytes of an ended process on, so that they arrive late. */
    void stall(Machine of) {
        List<Runnable> unused = held.put(of, new ArrayList<>());
    }

    /** Returns the number of calls of a process that are held back. */
    int held(Machine of) {
        return held.getOrDefault(of, List.of()).size();
    }

    /** Lets the calls arrive that were held back. */
    void release(Machine of) {
        List<Runnable> late = held.remove(of);
        if (late != null) {
            late.forEach(Runnable::run);
        }
    }

    void join(SimulatedNode one, SimulatedNode other) {
        apart.remove(pair(one, other));
    }

    /** Fails the calls to a machine that has ended. */
    void broken(Machine machine) {
        List<Pending> lost =
                pending.stream().filter(call -> call.to() == machine).toList();
        pending.removeAll(lost);
        lost.forEach(call -> {
            schedule.sites().hit(call.site());
            call.asking().broken(new UnavailableException("connection to %s is broken".formatted(machine)));
        });
    }

    /** Sends a call; the future's stages run on threads of the asking node. */
    CompletableFuture<@Nullable Object> send(
            SimulatedNode from, SimulatedNode to, Callable<? extends @Nullable Object> call) {
        return sendFuture(from, to, call, Optional.empty());
    }

    /** Sends a call of a session, which arrives late while the sessions of its process stall. */
    CompletableFuture<@Nullable Object> sendInSession(
            SimulatedNode from, SimulatedNode to, Callable<? extends @Nullable Object> call) {
        return sendFuture(from, to, call, late(from));
    }

    private Optional<List<Runnable>> late(SimulatedNode from) {
        return Optional.ofNullable(held.get(from.machine()));
    }

    private CompletableFuture<@Nullable Object> sendFuture(
            SimulatedNode from,
            SimulatedNode to,
            Callable<? extends @Nullable Object> call,
            Optional<List<Runnable>> late) {
        CompletableFuture<@Nullable Object> future = new CompletableFuture<>();
        MachineThreads here = from.threads();
        AtomicReference<Pending> sent = new AtomicReference<>();
        Asking asking = new Asking() {
            @Override
            public void answer(@Nullable Object result, @Nullable Throwable failure, long wayNanos) {
                here.after(wayNanos, () -> {
                    pending.remove(sent.get());
                    boolean unused = failure == null ? future.complete(result) : future.completeExceptionally(failure);
                });
            }

            @Override
            public void broken(UnavailableException failure) {
                boolean unused = future.completeExceptionally(failure);
            }
        };
        sent.set(send(from, to, call, late, asking));
        return future;
    }

    private Pending send(
            SimulatedNode from,
            SimulatedNode to,
            Callable<? extends @Nullable Object> call,
            Optional<List<Runnable>> late,
            Asking asking) {
        Machine caller = from.machine();
        Machine asked = to.machine();
        boolean cut = apart.contains(pair(from, to));
        double fate = healed ? 1 : random().nextDouble();
        Pending sent = new Pending(asked, asking, schedule.sites().take());
        if (cut || asked.hasFailed() || fate < swarm.calls() / 2) {
            counts.faults += cut || asked.hasFailed() ? 0 : 1;
            schedule.sites().hitCaller();
            asking.answer(null, new UnavailableException("%s is not reached".formatted(asked)), way());
            return sent;
        }
        boolean lost = fate < swarm.calls();
        if (lost || late.isPresent()) {
            schedule.sites().hitCaller();
        }
        counts.faults += lost ? 1 : 0;
        pending.add(sent);
        Runnable arrival = () -> {
            @Nullable Object result = null;
            @Nullable
            Throwable failure = lost ? new UnavailableException("the answer of %s is lost".formatted(asked)) : null;
            try {
                result = call.call();
            } catch (Exception e) {
                failure = failure == null ? e : failure;
            }
            if (caller.hasFailed()) {
                if (late.isPresent()) {
                    schedule.note("a call of %s came late: %s".formatted(caller, failure == null ? result : failure));
                }
                pending.remove(sent);
            } else {
                asking.answer(result, failure, way());
            }
        };
        MachineThreads there = to.threads();
        if (late.isPresent()) {
            counts.faults++;
            boolean unused = late.get().add(() -> there.after(way(), arrival));
            schedule.conditions().changed();
        } else {
            there.after(way(), arrival);
        }
        return sent;
    }

    /** Returns the time of the way of a message, in nanoseconds. */
    private long way() {
        return TimeUnit.MICROSECONDS.toNanos(random().nextInt(swarm.latencyMicros()));
    }

    /** Sends a call and waits for its answer. */
    @Nullable
    Object call(SimulatedNode from, SimulatedNode to, Callable<? extends @Nullable Object> call) throws IOException {
        return await(from, to, call, Optional.empty());
    }

    /** Sends a call of a session and waits for its answer. */
    @Nullable
    Object callInSession(SimulatedNode from, SimulatedNode to, Callable<? extends @Nullable Object> call)
            throws IOException {
        return await(from, to, call, late(from));
    }

    private @Nullable Object await(
            SimulatedNode from,
            SimulatedNode to,
            Callable<? extends @Nullable Object> call,
            Optional<List<Runnable>> late)
            throws IOException {
        AwaitedAnswer answer = new AwaitedAnswer(schedule);
        Pending sent = send(from, to, call, late, new Asking() {
            @Override
            public void answer(@Nullable Object result, @Nullable Throwable failure, long wayNanos) {
                answer.send(result, failure, wayNanos);
            }

            @Override
            public void broken(UnavailableException failure) {
                answer.fail(failure);
            }
        });
        try {
            return answer.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UnavailableException("interrupted", e);
        } catch (ExecutionException e) {
            throw thrown(e.getCause() == null ? e : e.getCause());
        } finally {
            pending.remove(sent);
        }
    }

    /** Returns the failure of a call as its caller learns of it. */
    static IOException thrown(Throwable failure) {
        Throwable cause = failure.getCause();
        if (failure instanceof CompletionException && cause != null) {
            return thrown(cause);
        }
        if (failure instanceof RuntimeException e) {
            throw e;
        }
        if (failure instanceof Error e) {
            throw e;
        }
        return failure instanceof IOException e ? e : new IOException(failure);
    }
}
