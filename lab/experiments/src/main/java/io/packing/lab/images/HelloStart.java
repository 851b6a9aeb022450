// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;

/** An image that was pushed, pulled and started on both sides: a row of {@link HelloLog}. */
record HelloStart(
        @JsonUnwrapped Facts facts,
        @JsonUnwrapped Peer peer,
        @JsonUnwrapped Own own) {
    /**
     * The image and the conditions.
     *
     * @param layers of the image
     * @param baseLayers the lowest of them, which other images have, too
     * @param readyBy {@code result} or {@code answer}
     * @param bytes of the layers as tars
     * @param gzipBytes of the layers as they are pushed
     * @param isCold true if no machine had a layer or a page of the image; else all machines had started its base
     * @param load of the machine in the minute before
     */
    record Facts(
            String image,
            String category,
            int layers,
            @JsonProperty("base_layers") int baseLayers,
            @JsonProperty("ready_by") String readyBy,
            long bytes,
            @JsonProperty("gzip_bytes") long gzipBytes,
            @JsonProperty("cold") boolean isCold,
            @JsonProperty("round_trip_ms") double roundTripMillis,
            @JsonProperty("bytes_per_s") long bytesPerSecond,
            double load) {}

    /**
     * The peer's seconds.
     *
     * @param gzipS to compress the layers that are pushed: all, or those above the base
     * @param pushS to send them
     */
    record Peer(
            @JsonProperty("peer_gzip_s") double gzipS,
            @JsonProperty("peer_push_s") double pushS,
            @JsonProperty("peer_pull_s") double pullS,
            @JsonProperty("peer_run_s") double runS,
            @JsonProperty("peer_rerun_s") double rerunS) {
        double deployment() {
            return pullS + runS;
        }
    }

    /**
     * Our seconds, and bytes that the store gave.
     *
     * @param pushS of a snapshot of the container in which the image was built
     * @param firstPullS of the first start anywhere, whose reads are not known; NaN if not cold
     * @param pullS of a start whose reads are known from the first one
     */
    record Own(
            @JsonProperty("push_s") double pushS,
            @JsonProperty("first_pull_s") double firstPullS,
            @JsonProperty("first_run_s") double firstRunS,
            @JsonProperty("first_read_bytes") long firstReadBytes,
            @JsonProperty("pull_s") double pullS,
            @JsonProperty("run_s") double runS,
            @JsonProperty("rerun_s") double rerunS,
            @JsonProperty("read_bytes") long readBytes) {}

    /** Returns the peer's pull and run to ours (Slacker, Figure 5.7). */
    double deployment() {
        return peer.deployment() / (own.pullS() + own.runS());
    }

    /** Returns the peer's pull and run to ours of the first start anywhere. */
    double firstDeployment() {
        return peer.deployment() / (own.firstPullS() + own.firstRunS());
    }

    /** Returns the peer's push, pull and run to ours; an image just pushed was never started. */
    double development() {
        return (peer.gzipS() + peer.pushS() + peer.deployment()) / (own.pushS() + own.firstPullS() + own.firstRunS());
    }

    /** Returns the speedup of a pull that takes no time, and a run that takes as long as the peer's second one. */
    double limit() {
        return peer.deployment() / peer.rerunS();
    }

    double rerun() {
        return own.rerunS() / peer.rerunS();
    }

    double readFraction() {
        return (double) own.readBytes() / facts.bytes();
    }

    double firstReadFraction() {
        return (double) own.firstReadBytes() / facts.bytes();
    }

    /** Returns the part of the pull in the peer's pull and run. */
    double pullFraction() {
        return peer.pullS() / peer.deployment();
    }
}
