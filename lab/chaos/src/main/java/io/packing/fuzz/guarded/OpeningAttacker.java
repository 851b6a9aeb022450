// SPDX-License-Identifier: Apache-2.0
package io.packing.fuzz.guarded;

import io.grpc.Channel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.packing.bdt.rpc.BdtGrpc;
import io.packing.bdt.rpc.OpenReply;
import io.packing.bdt.rpc.OpenRequest;
import io.packing.bdt.rpc.SetOptionsRequest;
import io.packing.fuzz.battle.Finds;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A client without a role that opens existing mounts, and mounts that an operator has not made yet. Thread-safe. */
final class OpeningAttacker {
    private static final long DEADLINE_SECONDS = 30;
    private static final List<Map.Entry<String, String>> HOSTILE = List.of(
            Map.entry("packing.durability", "buffered"),
            Map.entry("packing.gc.grace", "0s"),
            Map.entry("packing.gc.interval", "1s"),
            Map.entry("packing.gc.compact.below", "100%"),
            Map.entry("packing.encryption.key", "evil"),
            Map.entry("packing.dedup", "file"),
            Map.entry("packing.journal.interval", "10000h"),
            Map.entry("packing.backup.interval", "10000h"),
            Map.entry("packing.s3.connections", "1"),
            Map.entry("packing.s3.retry.timeout", "0s"),
            Map.entry("packing.s3.endpoint", "http://127.0.0.1:1"));
    private static final List<String> INSIDE = List.of(
            "",
            "/",
            "/.",
            "//",
            "/blobs",
            "/blobs/",
            "/blobs/00",
            "/bdt",
            "/bdt/identity",
            "/x",
            "/../main",
            "/..",
            "%2F");

    private final Channel channel;
    private final Finds finds;
    private final long seed;
    private final AtomicLong calls = new AtomicLong();
    private final Map<String, Long> ends = new TreeMap<>();
    /** The options of each mount that an operator made, by the mount's name at the master. */
    private final Map<String, Map<String, String>> made = new ConcurrentHashMap<>();

    /** The opened mounts that no operator has made so far, each with an open of it. */
    private final Map<String, OpenRequest> unknown = new ConcurrentHashMap<>();

    private final List<String> targets;

    /**
     * Makes a client over a channel.
     *
     * @param targets stores of mounts that exist or will be made
     */
    OpeningAttacker(Channel channel, List<String> targets, Finds finds, long seed) {
        this.channel = channel;
        this.targets = List.copyOf(targets);
        this.finds = finds;
        this.seed = seed;
    }

    /** Notes that an operator made a mount with these options. */
    void isMade(String mount, Map<String, String> options) {
        made.put(mount, Map.copyOf(options));
    }

    /** Reports the opened mounts that no operator has made by now. */
    void judge() {
        unknown.forEach((mount, request) -> {
            if (!made.containsKey(mount)) {
                finds.add("a client without a role made the mount '%s'".formatted(mount), -1, request.toString());
            }
        });
    }

    long calls() {
        return calls.get();
    }

    /** Returns the number of opens by their end. */
    synchronized Map<String, Long> ends() {
        return new TreeMap<>(ends);
    }

    private synchronized void count(String end) {
        ends.merge("opener " + end, 1L, Long::sum);
    }

    /** Opens a mount once. */
    void step() {
        long number = calls.getAndIncrement();
        SplittableRandom random = new SplittableRandom(seed ^ (number * 0x9E3779B97F4A7C15L));
        OpenRequest request = request(random);
        try {
            OpenReply reply = stub().open(request);
            count("Open OK");
            judge(request, reply, number);
        } catch (StatusRuntimeException e) {
            Status.Code code = e.getStatus().getCode();
            count("Open " + code);
            if (code == Status.Code.INTERNAL || code == Status.Code.UNKNOWN || code == Status.Code.DEADLINE_EXCEEDED) {
                finds.add(
                        "Open of a client without a role ends with %s: %s"
                                .formatted(code, e.getStatus().getDescription()),
                        number,
                        request.toString());
            }
        }
    }

    private OpenRequest request(SplittableRandom random) {
        Map<String, String> options = new HashMap<>();
        String target = targets.get(random.nextInt(targets.size()));
        options.put("packing.store", random.nextInt(3) == 0 ? target : inside(target, random));
        for (int i = random.nextInt(3); i > 0; i--) {
            Map.Entry<String, String> hostile = HOSTILE.get(random.nextInt(HOSTILE.size()));
            options.put(hostile.getKey(), hostile.getValue());
        }
        return OpenRequest.newBuilder()
                .putAllOptions(options)
                .setAgain(random.nextInt(4) == 0)
                .setCreate(random.nextInt(4) == 0)
                .build();
    }

    private static String inside(String target, SplittableRandom random) {
        String plain = target.endsWith("/") ? target.substring(0, target.length() - 1) : target;
        return switch (random.nextInt(12)) {
            case 0 -> "file:///etc";
            case 1 -> "s3://bucket/evil";
            case 2 -> plain + "-beside-" + random.nextInt(1_000);
            default -> plain + INSIDE.get(random.nextInt(INSIDE.size()));
        };
    }

    private BdtGrpc.BdtBlockingStub stub() {
        return BdtGrpc.newBlockingStub(channel).withDeadlineAfter(DEADLINE_SECONDS, TimeUnit.SECONDS);
    }

    private void judge(OpenRequest request, OpenReply reply, long number) {
        Map<String, String> terms = made.get(reply.getMount());
        if (terms == null) {
            // The operator may be about to report the mount.
            OpenRequest unused = unknown.putIfAbsent(reply.getMount(), request);
        } else if (!terms.equals(reply.getOptionsMap())) {
            finds.add(
                    "the mount '%s' has other options after an open: %s"
                            .formatted(reply.getMount(), reply.getOptionsMap()),
                    number,
                    request + " made with " + terms);
        } else if (request.getCreate()) {
            finds.add("a client without a role created '%s' again".formatted(reply.getMount()), number, request + "");
        }
        try {
            stub().setOptions(SetOptionsRequest.newBuilder()
                    .setMount(reply.getMount())
                    .putOptions("packing.gc.grace", "0s")
                    .build());
            finds.add("an open gives a client the right to change options", number, request + "");
        } catch (StatusRuntimeException e) {
            count("SetOptions " + e.getStatus().getCode());
        }
    }
}
