package io.packing.sim.registry;

import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Requests to a registry, in memory, in the order of their times.
 *
 * @param layerBytes of each layer, 1 at least
 * @param images the layers of each image
 */
public record RegistryTrace(List<RegistryRequest> requests, long[] layerBytes, List<int[]> images) {
    public RegistryTrace {
        requests = List.copyOf(requests);
        images = List.copyOf(images);
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
