// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.compare;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/**
 * A model of an ingest on several machines, by the asymptotic bounds of operational analysis. The busiest machine's
 * processors bound the rate, and so do clients that wait for their files. The model computes from figures that one
 * machine measured, and is no measurement.
 *
 * <p>The bounds on the measured machine itself are beside its measured rate. They tell how much of a real run the model
 * leaves out.
 *
 * @param machines with a worker and an equal part of the clients; one more has both masters, and the store is elsewhere
 * @param processors of each machine: as many as this one has
 * @param clients that write at once, each one file after another
 * @param millis processor time for a file
 * @param aloneMillis until one client without company has the answer for a file
 * @param measuredRate files a second until acknowledged, on this machine
 */
public record CapacityModel(
        int machines, int processors, int clients, Millis millis, double aloneMillis, double measuredRate) {
    private static final double MILLIS = 1_000;
    private static final List<String> ASSUMPTIONS = List.of(
            "a file takes as much processor time of each process as in the packed runs here",
            "its processors are as many and as fast as this machine's; every process can use all of its machine's",
            "the network between the machines costs no time beyond what loopback costs here",
            "disks and the store are no limit: no second file waits for a sync or a push of the first",
            "work is spread evenly, and nothing waits for a busy processor: the rate is a bound and not a forecast");

    /**
     * Processor time for a file by process, in milliseconds.
     *
     * @param worker of all workers together
     * @param masters of Alluxio's master and the BDT master
     */
    public record Millis(double client, double worker, double masters, double store) {
        double all() {
            return client + worker + masters + store;
        }
    }

    public CapacityModel {
        if (machines < 1 || processors < 1 || clients < 1 || !(aloneMillis > 0) || !(measuredRate > 0)) {
            throw new IllegalArgumentException("%d machines, %d processors, %d clients, %f ms, %f files/s"
                    .formatted(machines, processors, clients, aloneMillis, measuredRate));
        }
    }

    /** Returns the highest rate that the processors of the workers' machines allow, in files a second. */
    @JsonProperty("workers_allow")
    public double workersAllow() {
        return MILLIS * machines * processors / (millis.client() + millis.worker());
    }

    /** Returns the highest rate that the processors of the masters' machine allow. */
    @JsonProperty("masters_allow")
    public double mastersAllow() {
        return MILLIS * processors / millis.masters();
    }

    /** Returns the highest rate of clients that wait for each file as long as a single one. */
    @JsonProperty("clients_allow")
    public double clientsAllow() {
        return MILLIS * clients / aloneMillis;
    }

    /** Returns the least of the bounds, in files a second. */
    @JsonProperty("files_per_second_at_most")
    public double atMost() {
        return Math.min(clientsAllow(), Math.min(workersAllow(), mastersAllow()));
    }

    /** Returns the seconds until the last of some files is acknowledged, at least. */
    public double secondsAtLeast(long files) {
        return files / atMost();
    }

    /** Returns the bound on this one machine, which has every process. */
    @JsonProperty("here_at_most")
    public double hereAtMost() {
        return Math.min(clientsAllow(), MILLIS * processors / millis.all());
    }

    /** Returns the measured rate on this machine to the bound. */
    @JsonProperty("here_measured_to_bound")
    public double hereMeasuredToBound() {
        return measuredRate / hereAtMost();
    }

    /** Returns what the figures are, in words. */
    @JsonProperty("kind")
    public String kind() {
        return "a model, not a measurement";
    }

    /** Returns what the model takes for granted. */
    @JsonProperty("assumptions")
    public List<String> assumptions() {
        return ASSUMPTIONS;
    }

    /** Prints the bounds and what they assume. */
    void print(PrintWriter out, long files) {
        out.printf(
                Locale.ROOT,
                "Model of %d machines with %d processors each, and one for the masters (no measurement):%n",
                machines,
                processors);
        out.printf(
                Locale.ROOT,
                "  at most %,.0f files/s, at least %,.1f s until acknowledged: workers allow %,.0f, masters %,.0f, %d waiting clients %,.0f%n",
                atMost(),
                secondsAtLeast(files),
                workersAllow(),
                mastersAllow(),
                clients,
                clientsAllow());
        out.printf(
                Locale.ROOT,
                "  the same bounds allow %,.0f files/s on this machine, which did %,.0f: %.2f of them%n",
                hereAtMost(),
                measuredRate,
                hereMeasuredToBound());
        ASSUMPTIONS.forEach(each -> out.println("  assumed: " + each));
    }
}
