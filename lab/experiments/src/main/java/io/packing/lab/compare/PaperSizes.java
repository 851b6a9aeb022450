// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.compare;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * The paper's own figures of throughput by size (§2.2, §2.4 and Figure 2): 12.5 GB by 32 clients to S3. As files of 4 KB
 * they took more than eight hours, as objects of megabytes less than a minute.
 *
 * @param smallAtMost MB/s of files of 4 KB
 * @param largeAtLeast MB/s of objects of megabytes
 * @param largeToSmall the improvement that the paper states
 */
public record PaperSizes(
        @JsonProperty("small_at_most") double smallAtMost,
        @JsonProperty("large_at_least") double largeAtLeast,
        @JsonProperty("large_to_small") double largeToSmall) {
    private static final double MEGABYTES = 12.5 * 1024;
    private static final double SMALL_SECONDS = 8 * 3_600;
    private static final double LARGE_SECONDS = 60;

    /** The figures of Figure 2 and its text. */
    public static final PaperSizes FIGURE_2 = new PaperSizes(MEGABYTES / SMALL_SECONDS, MEGABYTES / LARGE_SECONDS, 300);
}
