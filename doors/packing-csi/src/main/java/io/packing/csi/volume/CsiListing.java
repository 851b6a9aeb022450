// SPDX-License-Identifier: Apache-2.0
package io.packing.csi.volume;

import java.util.List;
import java.util.Optional;

/**
 * A part of a listing.
 *
 * @param next the token of the next part; empty: this is the last one
 */
public record CsiListing<T>(List<T> entries, Optional<String> next) {
    private static final String AFTER = "after:";

    public CsiListing {
        entries = List.copyOf(entries);
    }

    static String token(CsiKey last) {
        return AFTER + last;
    }

    /** Returns the key behind which a part begins; empty: at the first one. */
    static String after(String token) throws CsiRefusal {
        if (token.isEmpty()) {
            return "";
        }
        return Optional.of(token)
                .filter(text -> text.startsWith(AFTER))
                .flatMap(text -> CsiKey.parse(text.substring(AFTER.length())))
                .orElseThrow(() -> new CsiRefusal(
                        CsiRefusal.Reason.ABORTED,
                        "'%.100s' is no token of a listing: begin without one".formatted(token)))
                .value();
    }
}
