// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.api;

import io.packing.bdt.BdtOptions;
import io.packing.options.Option;
import io.packing.options.Options;
import io.packing.options.Parsers;
import java.time.Duration;

/**
 * The longest waits of a mount's clients.
 *
 * @param master the longest time for which a client retries an unreachable master
 * @param worker the longest time for which a client waits for a worker that takes its files
 * @param readPeer the longest time for which a read waits for the worker that buffers the file
 * @param flush the longest time for which a flush goes on while its worker fails to push
 */
public record TimeoutOptions(Duration master, Duration worker, Duration readPeer, Duration flush) {
    public static final Option<Duration> WORKER = new Option<>(
            "packing.worker.timeout",
            "10s",
            "The longest wait of a client for a worker. Creates after a vain wait fail at once for a minute, "
                    + "unless a worker comes.",
            Parsers::duration);

    public static final Option<Duration> READ_PEER = new Option<>(
            "packing.read.peer.timeout",
            "10s",
            "The longest wait of a read for a worker's answer, and of a flush for each worker's.",
            Parsers::duration);

    public static final Option<Duration> FLUSH = new Option<>(
            "packing.flush.timeout",
            "60s",
            "The time after which a flush fails, with the reason, while the worker fails to push; files stay "
                    + "buffered.",
            Parsers::duration);

    public TimeoutOptions {
        if (master.isNegative() || worker.isNegative() || readPeer.isNegative() || flush.isNegative()) {
            throw new IllegalArgumentException("waits of %s for the master, %s and %s for workers, %s for a flush"
                    .formatted(master, worker, readPeer, flush));
        }
    }

    static TimeoutOptions from(Options options) {
        return new TimeoutOptions(
                options.get(BdtOptions.MASTER_TIMEOUT),
                options.get(WORKER),
                options.get(READ_PEER),
                options.get(FLUSH));
    }
}
