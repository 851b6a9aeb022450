package io.packing.sim.registry;

import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Requests to a registry, in memory, in the order of their times. */
public final class RegistryTrace {
    private final List<RegistryRequest> requests;
    private final long[] layerBytes;
    private final List<int[]> images;

    /**
     * A trace.
     *
     * @param layerBytes of each layer, 1 at least
     * @param images the layers of each image
     */
    public RegistryTrace(List<RegistryRequest> requests, long[] layerBytes, List<int[]> images) {
        this.requests = List.copyOf(requests);
        this.layerBytes = layerBytes.clone();
        this.images = List.copyOf(images);
    }

    /** The requests in the order of their times. */
    public List<RegistryRequest> requests() {
        return requests;
    }

    /** Bytes of a layer. */
    public long layerBytes(int layer) {
        return layerBytes[layer];
    }

    /** How many layers there are. */
    public int layers() {
        return layerBytes.length;
    }

    /** The layers of an image, which nobody changes. */
    public int[] image(int image) {
        return images.get(image);
    }

    /** How many images there are. */
    public int images() {
        return images.size();
    }

    /** Bytes of the different layers that are pulled. */
    public long pulledBytes() {
        BitSet pulled = new BitSet();
        for (RegistryRequest request : requests) {
            if (request.kind() == RegistryRequest.Kind.GET_LAYER) {
                pulled.set(request.object());
            }
        }
        return pulled.stream().mapToLong(layer -> layerBytes[layer]).sum();
    }

    /** Of the layers that users pulled, each user's counted by itself, the share that the same user pulled once (§3.4, Figure 4). */
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
