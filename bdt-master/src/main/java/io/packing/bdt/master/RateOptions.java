// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import io.packing.bdt.master.rpc.ClientRates;
import io.packing.options.Option;
import io.packing.options.Options;
import io.packing.options.Parsers;
import java.util.List;

/** The options that limit clients' calls to a master. */
final class RateOptions {
    static final Option<Integer> RATE = new Option<>(
            "bdt.client.rate",
            "0",
            "Calls that a client, a user or without identity an address, may make in a second; 0: any. Daemons and "
                    + "superusers are not limited.",
            Parsers.count(0, 1_000_000));

    static final Option<Integer> BURST = new Option<>(
            "bdt.client.burst",
            "1000",
            "How many calls a client may make at once before bdt.client.rate holds.",
            Parsers.count(1, 10_000_000));

    static final List<Option<?>> OPTIONS = List.of(RATE, BURST);

    private RateOptions() {}

    static ClientRates.RateLimits from(Options options) {
        return new ClientRates.RateLimits(options.get(RATE), options.get(BURST));
    }
}
