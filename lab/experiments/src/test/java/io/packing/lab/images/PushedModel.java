// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import io.packing.seed.Seed;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** The model of the pushed blobs and tags, as their clients know them, and the results of all requests. Thread-safe. */
final class PushedModel {
    /** Different blobs: few, so that many pushes and pulls meet. */
    static final int SEEDS = 48;

    static final int TAGS = 5;
    private static final int BLOCK = 512;
    private static final long RUN = Seed.value();

    /** The results of pushes and pulls. */
    static final class Counts {
        final AtomicLong pushes = new AtomicLong();
        final AtomicLong acknowledged = new AtomicLong();
        final AtomicLong resumed = new AtomicLong();
        final AtomicLong pulls = new AtomicLong();
        final AtomicLong whole = new AtomicLong();
        final AtomicLong cuts = new AtomicLong();

        @Override
        public String toString() {
            return ("%s pushes, %s acknowledged, %s of them by the other registry; %s pulls, %s whole; "
                            + "%s requests cut by the client")
                    .formatted(pushes, acknowledged, resumed, pulls, whole, cuts);
        }
    }

    private final Map<String, byte[]> acknowledged = new ConcurrentHashMap<>();
    private final Map<String, Set<String>> manifests = new ConcurrentHashMap<>();
    final Counts counts = new Counts();

    /** A tar of a few files that others have too, or just bytes. */
    static byte[] blob(int seed) {
        SplittableRandom random = new SplittableRandom(RUN + seed);
        if (seed % 4 == 0) {
            byte[] bytes = new byte[random.nextInt(2, 400_000)];
            random.nextBytes(bytes);
            return bytes;
        }
        int files = 1 + seed % 7;
        byte[] tar = new byte[files * (BLOCK + 40 * BLOCK) + 2 * BLOCK];
        for (int i = 0; i < files; i++) {
            int at = i * 41 * BLOCK;
            header(tar, at, "f" + i, 40 * BLOCK);
            byte[] content = new byte[40 * BLOCK];
            new SplittableRandom(RUN + i + seed % 5).nextBytes(content);
            System.arraycopy(content, 0, tar, at + BLOCK, content.length);
        }
        // Each seed has a file of its own.
        System.arraycopy(("seed " + seed).getBytes(StandardCharsets.US_ASCII), 0, tar, BLOCK, 6);
        return tar;
    }

    private static void header(byte[] tar, int at, String name, int size) {
        put(tar, at, name);
        put(tar, at + 100, "0000644\0" + "0000000\0" + "0000000\0" + "%011o\0".formatted(size) + "00000000000\0");
        put(tar, at + 148, "        0");
        put(tar, at + 257, "ustar\0" + "00");
        int sum = 0;
        for (int i = 0; i < BLOCK; i++) {
            sum += tar[at + i] & 0xff;
        }
        put(tar, at + 148, "%06o\0 ".formatted(sum));
    }

    private static void put(byte[] tar, int at, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(bytes, 0, tar, at, bytes.length);
    }

    /** The manifest of an image of one blob, which is its configuration and its layer. */
    static byte[] manifest(byte[] blob) {
        String descriptor = "{\"mediaType\":\"%s\",\"digest\":\"%s\",\"size\":%d}";
        String digest = RegistryCaller.digest(blob);
        return "{\"schemaVersion\":2,\"mediaType\":\"%s\",\"config\":%s,\"layers\":[%s]}"
                .formatted(
                        RegistryLoad.MANIFEST,
                        descriptor.formatted("application/vnd.oci.image.config.v1+json", digest, blob.length),
                        descriptor.formatted("application/vnd.oci.image.layer.v1.tar", digest, blob.length))
                .getBytes(StandardCharsets.UTF_8);
    }

    /** A push was answered with 201. */
    void acknowledge(byte[] blob) {
        counts.acknowledged.incrementAndGet();
        acknowledged.put(RegistryCaller.digest(blob), blob);
    }

    boolean isAcknowledged(String digest) {
        return acknowledged.containsKey(digest);
    }

    /** All that was. */
    Map<String, byte[]> acknowledged() {
        return Map.copyOf(acknowledged);
    }

    /** A manifest is about to be put under a tag. */
    void tries(String tag, String manifestDigest) {
        manifests.computeIfAbsent(tag, unused -> ConcurrentHashMap.newKeySet()).add(manifestDigest);
    }

    /** Returns whether a client ever tried to put a manifest under a tag. */
    boolean wasTried(String tag, String manifestDigest) {
        return manifests.getOrDefault(tag, Set.of()).contains(manifestDigest);
    }
}
