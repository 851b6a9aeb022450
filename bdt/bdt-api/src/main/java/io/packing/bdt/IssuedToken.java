// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import java.time.Instant;

/**
 * A token that a BDT master issued.
 *
 * @param text of the token, which works for any bearer
 * @param end of its life
 * @param renewedUntil the time from which it is refused, unless it is renewed
 */
public record IssuedToken(String text, Instant end, Instant renewedUntil) {
    /** Returns a text without the token itself, so that no log has it. */
    @Override
    public String toString() {
        return "a token that ends at %s and is renewed until %s".formatted(end, renewedUntil);
    }
}
