package io.packing.sim.registry;

/**
 * A request to a registry.
 *
 * @param micros when it comes, from the start of the trace
 * @param user who asks
 * @param kind what is done
 * @param object the layer, or the image whose manifest it is
 */
public record RegistryRequest(long micros, int user, Kind kind, int object) {
    /** What a request does. */
    public enum Kind {
        GET_MANIFEST,
        GET_LAYER,
        PUT_LAYER
    }
}
