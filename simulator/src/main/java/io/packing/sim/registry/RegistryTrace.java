// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.registry;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** The requests to a registry, in memory, in the order of their times. */
public final class RegistryTrace {
    private final List<RegistryRequest> requests;
    private final long[] layerBytes;
    private final List<int[]> images;

    /**
     * Makes a trace.
     *
     * @param layerBytes of each layer, 1 at least
     * @param images the layers of each image
     */
    public RegistryTrace(List<RegistryRequest> requests, long[] layerBytes, List<int[]> images) {
        this.requests = List.copyOf(requests);
        this.layerBytes = layerBytes.clone();
        this.images = List.copyOf(images);
    }

    /**
     * Returns a trace whose pulls of layers are independent of manifests, users and each other. Times, users and layers are as often in
     * it as in this one, each in a random order of its own.
     */
    public RegistryTrace independent(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<RegistryRequest> mixed = new ArrayList<>(requests);
        List<Integer> pulls = new ArrayList<>();
        for (int i = 0; i < mixed.size(); i++) {
            if (mixed.get(i).kind() == RegistryRequest.Kind.GET_LAYER) {
                pulls.add(i);
            }
        }
        for (int last = pulls.size() - 1; last > 0; last--) {
            swapLayers(mixed, pulls.get(last), pulls.get(random.nextInt(last + 1)));
            swapUsers(mixed, pulls.get(last), pulls.get(random.nextInt(last + 1)));
        }
        return new RegistryTrace(mixed, layerBytes, images);
    }

    private static void swapLayers(List<RegistryRequest> all, int one, int other) {
        RegistryRequest first = all.get(one);
        RegistryRequest second = all.get(other);
        all.set(one, new RegistryRequest(first.micros(), first.user(), first.kind(), second.object()));
        if (one != other) {
            all.set(other, new RegistryRequest(second.micros(), second.user(), second.kind(), first.object()));
        }
    }

    private static void swapUsers(List<RegistryRequest> all, int one, int other) {
        RegistryRequest first = all.get(one);
        RegistryRequest second = all.get(other);
        all.set(one, new RegistryRequest(first.micros(), second.user(), first.kind(), first.object()));
        if (one != other) {
            all.set(other, new RegistryRequest(second.micros(), first.user(), second.kind(), second.object()));
        }
    }

    /** Returns the requests in the order of their times. */
    public List<RegistryRequest> requests() {
        return requests;
    }

    /** Returns the bytes of a layer. */
    public long layerBytes(int layer) {
        return layerBytes[layer];
    }

    /** Counts the layers. */
    public int layers() {
        return layerBytes.length;
    }

    /** Returns the layers of an image; callers must not change the array. */
    public int[] image(int image) {
        return images.get(image);
    }

    /** Counts the images. */
    public int images() {
        return images.size();
    }

    /** Returns the bytes of all pulled layers, each counted once. */
    public long pulledBytes() {
        BitSet pulled = new BitSet();
        for (RegistryRequest request : requests) {
            if (request.kind() == RegistryRequest.Kind.GET_LAYER) {
                pulled.set(request.object());
            }
        }
        return pulled.stream().mapToLong(layer -> layerBytes[layer]).sum();
    }

    /** Returns the share of pairs of user and layer with a single pull, of all pairs with pulls (§3.4, Figure 4). */
    public double pulledOnce() {
        Map<Long, Integer> counts = new HashMap<>();
        for (RegistryRequest request : requests) {
            if (request.kind() == RegistryRequest.Kind.GET_LAYER) {
                counts.merge((long) request.user() << 32 | request.object(), 1, Integer::sum);
            }
        }
        return counts.values().stream().filter(count -> count == 1).count() / (double) counts.size();
    }
}
