package io.packing.bdt;

import java.time.Instant;

/**
 * A token that a BDT master issued.
 *
 * @param text whoever has it may use it
 * @param end of its life
 * @param renewedUntil from when on it is refused, unless it is renewed
 */
public record IssuedToken(String text, Instant end, Instant renewedUntil) {
    /** Without the token itself, so that no log has it. */
    @Override
    public String toString() {
        return "a token that ends at %s and is renewed until %s".formatted(end, renewedUntil);
    }
}
