// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.registry;

/**
 * A request to a registry.
 *
 * @param micros time since the start of the trace
 * @param user the client
 * @param kind of the request
 * @param object the layer, or the image whose manifest it is
 */
public record RegistryRequest(long micros, int user, Kind kind, int object) {
    /** The kind of request. */
    public enum Kind {
        GET_MANIFEST,
        GET_LAYER,
        PUT_LAYER
    }
}
