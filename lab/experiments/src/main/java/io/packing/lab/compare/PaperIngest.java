// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.compare;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * The paper's own figures of its ingest (§8, Table 1 and Figure 1b), for readers who compare.
 *
 * @param files of 8 KB, written by 32 clients through Alluxio with four workers on EC2
 * @param secondsRatio seconds direct to packed
 * @param dollarsRatio dollars direct to packed
 * @param directRetries refused requests of the direct side
 */
public record PaperIngest(
        long files,
        @JsonProperty("direct_seconds") double directSeconds,
        @JsonProperty("packed_seconds") double packedSeconds,
        @JsonProperty("seconds_ratio") double secondsRatio,
        @JsonProperty("dollars_ratio") double dollarsRatio,
        @JsonProperty("direct_retries") long directRetries,
        @JsonProperty("packed_retries") long packedRetries) {
    /** The figures of Table 1. */
    public static final PaperIngest TABLE_1 = new PaperIngest(3_200_000, 21_778, 354.5, 61, 25_000, 257_820, 0);

    /** Returns refused requests of the direct side for 1,000 files. */
    @JsonProperty("direct_retries_per_1000")
    public double directRetriesPer1000() {
        return 1_000.0 * directRetries / files;
    }
}
