// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.bill;

/**
 * The requests and dollars that a model predicts. Numbers of requests may have fractions.
 *
 * @param source the model, for people
 * @param bytes that are stored
 * @param dollars for requests, by the prices that the model was given
 */
public record BillPrediction(
        String source, double puts, double lists, double gets, double heads, double bytes, double dollars) {
    public BillPrediction {
        for (double value : new double[] {puts, lists, gets, heads, bytes, dollars}) {
            if (!(value >= 0 && value < Double.POSITIVE_INFINITY)) {
                throw new IllegalArgumentException("%s: no prediction: %s".formatted(source, value));
            }
        }
    }
}
