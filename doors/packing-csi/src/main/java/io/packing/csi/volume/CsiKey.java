// SPDX-License-Identifier: Apache-2.0
package io.packing.csi.volume;

import com.google.common.hash.Hashing;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The name of the directory of a volume, a snapshot or a group. It is the name that the orchestrator gave, or a hash of a name with other
 * characters, so that no name leads to another directory.
 */
public record CsiKey(String value) {
    private static final int MOST_NAME_BYTES = 255;
    private static final int HASH_DIGITS = 32;
    private static final Pattern PLAIN = Pattern.compile("[a-z0-9]([a-z0-9.-]{0,62}[a-z0-9])?");
    private static final Pattern HASHED = Pattern.compile("~[0-9a-f]{" + HASH_DIGITS + "}");

    public CsiKey {
        if (!PLAIN.matcher(value).matches() && !HASHED.matcher(value).matches()) {
            throw new IllegalArgumentException("'%.100s' is no key".formatted(value));
        }
    }

    /** Returns the key of an object that the orchestrator calls so. */
    public static CsiKey ofName(String what, String name) throws CsiRefusal {
        if (name.isEmpty()) {
            throw CsiRefusal.invalid("the name of the %s is empty".formatted(what));
        }
        if (name.getBytes(StandardCharsets.UTF_8).length > MOST_NAME_BYTES
                || name.chars().anyMatch(Character::isISOControl)) {
            throw CsiRefusal.invalid("the name of the %s has more than %d bytes, or control characters"
                    .formatted(what, MOST_NAME_BYTES));
        }
        return PLAIN.matcher(name).matches() ? new CsiKey(name) : hashed(name);
    }

    /** Returns a key that no plain name has. */
    static CsiKey hashed(String text) {
        return new CsiKey("~"
                + Hashing.sha256()
                        .hashString(text, StandardCharsets.UTF_8)
                        .toString()
                        .substring(0, HASH_DIGITS));
    }

    static Optional<CsiKey> parse(String text) {
        return PLAIN.matcher(text).matches() || HASHED.matcher(text).matches()
                ? Optional.of(new CsiKey(text))
                : Optional.empty();
    }

    @Override
    public String toString() {
        return value;
    }
}
