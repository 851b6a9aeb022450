// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.peers;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.packing.lab.compare.AnsweredRequests;
import io.packing.lab.compare.FigureSpread;
import io.packing.lab.compare.Median;
import io.packing.options.PriceTable;
import java.util.ArrayList;
import java.util.List;

/**
 * An operation at a system, over all rounds.
 *
 * @param operation with the number of its threads
 * @param files of a round
 * @param perSecond the median of the rounds
 * @param requests to the store in a round, until all files are there
 * @param p50Millis of an operation; of the whole command for {@code rm-rf}
 */
public record PeerRow(
        String system,
        String operation,
        int files,
        @JsonProperty("files_per_second") double perSecond,
        @JsonProperty("files_per_second_min") double least,
        @JsonProperty("files_per_second_max") double most,
        double requests,
        double dollars,
        @JsonProperty("p50_ms") double p50Millis) {
    /** The figures of a row in the making. */
    static final class Rounds {
        private final String system;
        private final String operation;
        private final int files;
        private final List<Double> rates = new ArrayList<>();
        private final List<Double> nanos = new ArrayList<>();
        private long requests;
        private double dollars;

        Rounds(String system, String operation, int files) {
            this.system = system;
            this.operation = operation;
            this.files = files;
        }

        void add(SmallFileWork.Timed timed) {
            rates.add(files / timed.seconds());
            nanos.addAll(timed.nanos());
        }

        void add(AnsweredRequests asked, PriceTable prices) {
            requests += asked.put() + asked.get() + asked.list() + asked.head();
            dollars += asked.dollars(prices);
        }

        PeerRow row() {
            FigureSpread spread = FigureSpread.of(rates);
            int rounds = rates.size();
            return new PeerRow(
                    system,
                    operation,
                    files,
                    spread.median(),
                    spread.least(),
                    spread.most(),
                    (double) requests / rounds,
                    dollars / rounds,
                    Median.of(nanos) / 1e6);
        }
    }
}
