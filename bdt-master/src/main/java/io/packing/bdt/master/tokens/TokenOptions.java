// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.tokens;

import java.time.Duration;

/**
 * For how long tokens are valid.
 *
 * @param life of a token; nothing makes it longer
 * @param renewal for how long it is valid without being renewed; a key signs for as long, too
 */
public record TokenOptions(Duration life, Duration renewal) {
    /** A week, renewed daily, as in HDFS. */
    public static final TokenOptions USUAL = new TokenOptions(Duration.ofDays(7), Duration.ofDays(1));

    public TokenOptions {
        if (renewal.toMillis() <= 0 || life.compareTo(renewal) < 0) {
            throw new IllegalArgumentException(
                    "tokens that live for %s and are renewed every %s".formatted(life, renewal));
        }
    }
}
