// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The places of a mount's blobs, as its master tells them (RFC 0023). A mount that was never evacuated has the one that its options name.
 *
 * @param called the location of the store that the mount had first; workers and clients call the mount by it
 * @param number grows with each change
 * @param sinceMicros when the first place became the first, in microseconds since the epoch
 * @param places options that lead to the stores; new blobs go to the first one
 */
public record MountHomes(String called, long number, long sinceMicros, List<Map<String, String>> places) {
    /** Those of a mount that was never evacuated. */
    public static final MountHomes NONE = new MountHomes("", 0, 0, List.of());

    /** Beginnings of the keys of options by which a store is found. */
    private static final Set<String> KEYS = Set.of(
            "packing.store",
            "packing.s3.endpoint",
            "packing.s3.region",
            "packing.s3.path.style",
            "packing.s3.sse.mode",
            "packing.s3.sse.kms.key",
            "packing.s3.sse.bucket.key",
            "packing.s3.requester.pays",
            "packing.s3.fips",
            "packing.s3.dualstack");

    public MountHomes {
        if (number < 0 || sinceMicros < 0 || (number > 0 && (called.isBlank() || places.isEmpty()))) {
            throw new IllegalArgumentException("bad homes %d of '%s': %s".formatted(number, called, places));
        }
        places = places.stream().map(Map::copyOf).toList();
    }

    /** Returns whether the blobs are where the options of the mount say. */
    public boolean isUsual() {
        return number == 0;
    }

    /** Returns those of some options that lead to a store. */
    public static Map<String, String> of(Map<String, String> options) {
        Map<String, String> place = new HashMap<>(options);
        place.keySet().retainAll(KEYS);
        return place;
    }

    /** Returns a client's options with another place. */
    public static Map<String, String> at(Map<String, String> options, Map<String, String> place) {
        Map<String, String> all = new HashMap<>(options);
        all.keySet().removeAll(KEYS);
        all.putAll(place);
        return all;
    }
}
