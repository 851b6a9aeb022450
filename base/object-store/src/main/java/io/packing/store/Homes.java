// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import java.util.List;
import java.util.Map;

/**
 * The places of a mount's objects. Usually it is one. While an evacuation brings the objects to another place (RFC 0023), it is that one and
 * the one before.
 *
 * @param number grows with each change; 0: the mount was never evacuated
 * @param sinceMicros when the first place became the first, in microseconds since the epoch
 * @param places options that lead to the stores ({@link StoreOptions#OF_PLACE}); new objects go to the first one
 */
public record Homes(long number, long sinceMicros, List<Map<String, String>> places) {
    private static final char BEFORE_TIME = '-';

    public Homes {
        if (number < 0 || sinceMicros < 0 || places.isEmpty()) {
            throw new IllegalArgumentException("bad homes %d of %d: %s".formatted(number, sinceMicros, places));
        }
        places = places.stream().map(Map::copyOf).toList();
    }

    /** Makes those of a mount that was never evacuated. */
    public static Homes of(Map<String, String> place) {
        return new Homes(0, 0, List.of(place));
    }

    /**
     * Returns whether the key of a blob says that it was made before the first place became the first. Clocks may differ, so this only tells
     * where to look first.
     */
    boolean isOlder(String key) {
        int from = key.lastIndexOf(BEFORE_TIME) + 1;
        if (from == 0 || from == key.length() || key.length() - from > 18) {
            return false;
        }
        for (int i = from; i < key.length(); i++) {
            if (key.charAt(i) < '0' || key.charAt(i) > '9') {
                return false;
            }
        }
        return Long.parseLong(key, from, key.length(), 10) < sinceMicros;
    }
}
