// SPDX-License-Identifier: Apache-2.0
package io.packing.fuzz.calls;

import com.google.protobuf.DynamicMessage;
import com.google.protobuf.TextFormat;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Status;
import io.packing.fuzz.battle.Finds;
import io.packing.fuzz.battle.Vitals;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiPredicate;

/**
 * A sequence of calls with hostile messages. The number of a call and the seed determine its method, its messages and
 * its manner; true values of the system do the rest. Thread-safe.
 */
public final class Attack {
    /** The methods that go on until their caller stops them. */
    private static final Set<String> ENDLESS = Set.of("Watch");

    private final List<Rpc> rpcs;
    private final MessageMaker frames;
    private final BiPredicate<Rpc, DynamicMessage> spared;
    private final CallMaker caller;
    private final CallJudge judge;
    private final Finds finds;
    private final long seed;
    private final AtomicLong calls = new AtomicLong();
    private final Map<String, Long> statuses = new TreeMap<>();

    /**
     * Makes an attack on methods.
     *
     * @param spared the messages that are not sent
     */
    public Attack(
            List<Rpc> rpcs,
            MessageMaker frames,
            BiPredicate<Rpc, DynamicMessage> spared,
            CallMaker caller,
            CallJudge judge,
            Finds finds,
            long seed) {
        this.rpcs = List.copyOf(rpcs);
        this.frames = frames;
        this.spared = spared;
        this.caller = caller;
        this.judge = judge;
        this.finds = finds;
        this.seed = seed;
    }

    public long calls() {
        return calls.get();
    }

    /** Returns the number of calls by method and status. */
    public synchronized Map<String, Long> statuses() {
        return new TreeMap<>(statuses);
    }

    /** Returns the methods that were never called, since every message to them was spared. */
    public List<String> uncalled() {
        Set<String> called = statuses().keySet();
        return rpcs.stream()
                .map(Rpc::name)
                .filter(name -> called.stream().noneMatch(end -> end.startsWith(name + " ")))
                .toList();
    }

    /** Makes one call. */
    public void step() throws InterruptedException {
        long number = calls.getAndIncrement();
        SplittableRandom random = new SplittableRandom(seed ^ (number * 0x9E3779B97F4A7C15L));
        // Methods take turns, so that the rare ones are not left to luck.
        Rpc rpc = rpcs.get((int) (number % rpcs.size()));
        List<DynamicMessage> messages = messages(rpc, random);
        if (messages.isEmpty()) {
            return;
        }
        CallMaker.Manner manner = manner(rpc, random);
        CallMaker.End end = caller.call(rpc, wire(messages), manner);
        count(rpc, end.status());
        judge(rpc, messages, manner, end, number);
    }

    private List<DynamicMessage> messages(Rpc rpc, SplittableRandom random) {
        MethodType type = rpc.method().getType();
        boolean one = type == MethodType.UNARY || type == MethodType.SERVER_STREAMING;
        int count = one ? 1 : random.nextInt(1, 6);
        List<DynamicMessage> messages = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            DynamicMessage message = frames.call(rpc.input(), random);
            if (!spared.test(rpc, message)) {
                messages.add(message);
            }
        }
        return messages;
    }

    private static List<byte[]> wire(List<DynamicMessage> messages) {
        return messages.stream().map(MessageMaker::wire).toList();
    }

    private static CallMaker.Manner manner(Rpc rpc, SplittableRandom random) {
        if (ENDLESS.contains(rpc.name())) {
            return random.nextBoolean() ? CallMaker.Manner.CANCELS : CallMaker.Manner.DEAF;
        }
        return switch (random.nextInt(20)) {
            case 0 -> CallMaker.Manner.CANCELS;
            case 1 -> CallMaker.Manner.SILENT;
            case 2 -> CallMaker.Manner.DEAF;
            default -> CallMaker.Manner.ORDERLY;
        };
    }

    private synchronized void count(Rpc rpc, Status status) {
        statuses.merge(rpc.name() + " " + status.getCode(), 1L, Long::sum);
    }

    private void judge(
            Rpc rpc, List<DynamicMessage> messages, CallMaker.Manner manner, CallMaker.End end, long number) {
        String harm = judge.harm(rpc, messages, manner, end);
        if (harm.isEmpty() || !finds.isNew(harm)) {
            return;
        }
        DynamicMessage smallest = messages.get(0);
        CallMaker.Manner shown = manner;
        // A caller that cancels sees the harm only if the server was faster; an orderly call always sees it.
        if (messages.size() == 1 && !harm.contains("hangs") && harms(rpc, smallest, harm)) {
            smallest = new Shrinking(candidate -> harms(rpc, candidate, harm)).smallest(smallest);
            shown = CallMaker.Manner.ORDERLY;
        }
        finds.add(
                harm,
                number,
                "%s x%d %s {%s}%s"
                        .formatted(
                                shown,
                                messages.size(),
                                rpc.input().getFullName(),
                                TextFormat.shortDebugString(smallest),
                                harm.contains("hangs") ? "\n" + Vitals.stacks() : ""));
    }

    private boolean harms(Rpc rpc, DynamicMessage candidate, String harm) {
        try {
            if (spared.test(rpc, candidate)) {
                return false;
            }
            CallMaker.End end = caller.call(rpc, List.of(MessageMaker.wire(candidate)), CallMaker.Manner.ORDERLY);
            return judge.harm(rpc, List.of(candidate), CallMaker.Manner.ORDERLY, end)
                    .equals(harm);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
