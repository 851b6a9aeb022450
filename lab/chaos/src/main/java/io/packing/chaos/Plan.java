// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos;

import io.packing.chaos.cluster.Encryption;
import io.packing.chaos.cluster.RoundProcessOptions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * The content of a round, drawn from one seed as docs/chaos.md says.
 *
 * @param seed of the round
 * @param site configuration of its processes
 * @param durability of the mount
 * @param acts in their order
 * @param lanes number of clients' threads that each write a tree of their own
 * @param operations of each lane in each act
 */
record Plan(long seed, RoundProcessOptions site, String durability, List<Act> acts, int lanes, int operations) {
    private static final int LANES = 6;
    private static final int LEAST_OPERATIONS = 12;
    private static final int MOST_OPERATIONS = 30;
    private static final int ACTS = 3;
    private static final String DEDUP = "packing.dedup";

    /**
     * Acts that exclude deduplication. They lose bytes of a worker's buffer that other files share, or entries that no
     * blob mentions. The model knows bytes only by the worker to which a file was written.
     */
    private static final Set<Act> LOSE_SHARED = Set.of(
            Act.LOSE_WORKER, Act.OLDER_WORKER, Act.OUTAGE_LOSE_WORKER, Act.RECOVER_WITHOUT_CHECKPOINT, Act.STORE_ALONE);

    static Plan of(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        String durability = one(random, "buffered", "synced", "uploaded");
        List<Act> acts = new ArrayList<>();
        for (int i = 0; i < ACTS; i++) {
            acts.add(act(random));
        }
        if (random.nextInt(3) == 0) {
            acts.add(Act.STORE_ALONE);
        }
        Map<String, String> mount = mount(random, durability);
        // The seed's bits set these options without a draw, so that the plans of all seeds stay as they were.
        mount.put("packing.seal.quiet", (seed & 1) == 0 ? "0s" : "200ms");
        if ((seed & 2) == 0) {
            mount.put(Encryption.OPTION, Encryption.KEY);
        }
        if ((seed & 4) != 0) {
            pushAhead(mount);
        }
        if (acts.contains(Act.COMPACT)) {
            // A master compacts only blobs with 8 MiB of dead bytes, to win back 64 MiB.
            mount.put("packing.blob.max.bytes", "16MB");
            mount.put("packing.seal.idle.bytes", "0");
            mount.put("packing.seal.after", "1h");
            mount.put("packing.seal.quiet", "0s");
            mount.put("packing.spill.bytes", "4MB");
            mount.put("packing.gc.compact.below", "0.9");
            // If closes wait for their upload, several files must share a blob.
            mount.put("packing.threads", "1");
            mount.put("packing.upload.gather", "500ms");
        }
        int workers = 1 + random.nextInt(2);
        String engine = one(random, "leveldb", "rocksdb");
        int operations = random.nextInt(LEAST_OPERATIONS, MOST_OPERATIONS + 1);
        if (!durability.equals("uploaded") && Collections.disjoint(acts, LOSE_SHARED) && random.nextBoolean()) {
            mount.put(DEDUP, "file");
        }
        return new Plan(
                seed,
                new RoundProcessOptions(workers, engine, mount),
                durability,
                List.copyOf(acts),
                LANES,
                operations);
    }

    /** Draws an act by weight. The slowest acts are rare. */
    private static Act act(RandomGenerator random) {
        int drawn = random.nextInt(100);
        int up = 0;
        for (Map.Entry<Act, Integer> each : WEIGHTS.entrySet()) {
            up += each.getValue();
            if (drawn < up) {
                return each.getKey();
            }
        }
        throw new IllegalStateException("the weights of acts are %d together, not 100".formatted(up));
    }

    private static final Map<Act, Integer> WEIGHTS = weights();

    private static Map<Act, Integer> weights() {
        Map<Act, Integer> weights = new LinkedHashMap<>();
        weights.put(Act.CALM, 3);
        weights.put(Act.KILL_WORKER, 11);
        weights.put(Act.LOSE_WORKER, 10);
        weights.put(Act.KILL_MASTER, 7);
        weights.put(Act.RECOVER, 7);
        weights.put(Act.RECOVER_WITHOUT_CHECKPOINT, 4);
        weights.put(Act.RECOVER_THEN_KILL_WORKER, 8);
        weights.put(Act.KILL_CLIENT, 8);
        weights.put(Act.KILL_ALL, 5);
        weights.put(Act.STOP_MASTER, 3);
        weights.put(Act.STOP_WORKER, 3);
        weights.put(Act.STORE_FAULTS, 7);
        weights.put(Act.OUTAGE, 3);
        weights.put(Act.OUTAGE_LOSE_WORKER, 6);
        weights.put(Act.OUTAGE_KILL_MASTER, 3);
        weights.put(Act.COLLECT, 4);
        weights.put(Act.COMPACT, 3);
        weights.put(Act.OLDER_WORKER, 2);
        weights.put(Act.OLDER_MASTER, 3);
        return weights;
    }

    /** Sets what a worker needs to push its blobs while they fill. */
    private static void pushAhead(Map<String, String> mount) {
        mount.put("packing.policy", "fifo");
        mount.put("packing.buffer.values", "segment");
        mount.put("packing.seal.idle.bytes", "0");
        mount.computeIfPresent("packing.compression", (key, value) -> value.equals("zstd") ? "deflate" : value);
    }

    private static Map<String, String> mount(RandomGenerator random, String durability) {
        Map<String, String> mount = new LinkedHashMap<>();
        mount.put("packing.durability", durability);
        mount.put("packing.policy", one(random, "fifo", "directory", "size"));
        mount.put("packing.buffer.engine", one(random, "leveldb", "rocksdb"));
        mount.put("packing.buffer.values", one(random, "segment", "store"));
        mount.put("packing.compression", one(random, "none", "deflate", "zstd"));
        mount.put("packing.blob.max.bytes", one(random, "64KB", "256KB", "1MB"));
        mount.put("packing.seal.idle.bytes", one(random, "0", "128KB"));
        mount.put("packing.seal.after", one(random, "200ms", "1s", "1h"));
        mount.put("packing.upload.gather", one(random, "50ms", "500ms"));
        mount.put("packing.threads", one(random, "1", "4"));
        mount.put("packing.spill.bytes", "64KB");
        mount.put("packing.buffer.max.bytes", "256MB");
        mount.put("packing.journal.interval", one(random, "100ms", "1s", "1m"));
        mount.put("packing.backup.interval", one(random, "200ms", "10m"));
        mount.put("packing.backup.min.changes", one(random, "20", "500000"));
        mount.put("packing.gc.interval", "200ms");
        mount.put("packing.gc.grace", one(random, "200ms", "1s"));
        mount.put("packing.gc.compact.below", one(random, "0", "0.5", "0.9"));
        mount.put("packing.read.cache.bytes", "8MB");
        mount.put("packing.read.window.max.bytes", one(random, "256KB", "1MB"));
        mount.put("packing.master.timeout", "20s");
        // A worker without its directory waits until the lease of its predecessor has ended, and clients wait for it.
        mount.put("packing.worker.timeout", "30s");
        mount.put("packing.s3.connections", "16");
        mount.put("packing.s3.retry.timeout", "60s");
        return mount;
    }

    private static String one(RandomGenerator random, String... values) {
        return values[random.nextInt(values.length)];
    }

    boolean isUploaded() {
        return durability.equals("uploaded");
    }

    /** Returns whether files with equal bytes share them. */
    boolean isDeduplicated() {
        return site.mount().containsKey(DEDUP);
    }

    /** Returns whether the table may be lost without a checkpoint right before. */
    boolean mayLoseTail() {
        return acts.contains(Act.RECOVER_WITHOUT_CHECKPOINT);
    }

    @Override
    public String toString() {
        return "%s%s%s %s %s %s, %d workers: %s"
                .formatted(
                        durability,
                        isDeduplicated() ? " deduplicated" : "",
                        site.mount().containsKey(Encryption.OPTION) ? " encrypted" : "",
                        site.mount().get("packing.policy"),
                        site.mount().get("packing.buffer.engine"),
                        site.mount().get("packing.buffer.values"),
                        site.workers(),
                        acts.toString().toLowerCase(Locale.ROOT));
    }
}
