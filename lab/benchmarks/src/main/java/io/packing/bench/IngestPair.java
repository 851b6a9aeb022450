// SPDX-License-Identifier: Apache-2.0
package io.packing.bench;

import io.packing.worker.client.RemotePackingFileSystem;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A comparison of two clusters that take turns at the ingest of small files. The order A B B A makes a drift of the
 * machine hit both alike. A turn has two times: until every file is acknowledged as synced, and until the store has all
 * files. Each round prints one line of JSON, and the last line has the medians. {@code acknowledged_B_to_A} and
 * {@code stored_B_to_A} are ratios of rates. {@code cpu_B_to_A} is the ratio of the processor time of client, worker
 * and masters together, which other processes of the machine disturb less. {@code blobs} are those of a cluster's two
 * turns, each a PUT. The first round warms up and is not counted.
 *
 * @param one the name of the first in figures
 * @param other the name of the second
 */
record IngestPair(String one, String other, IngestTurns turns, int rounds) {
    /** A cluster with one of its clients. */
    record Side(IngestCluster servers, RemotePackingFileSystem client) {}

    /** Runs the rounds and prints their figures. */
    void run(Side first, Side second) throws Exception {
        String suffix = "_%s_to_%s".formatted(other, one);
        List<String> ratios = List.of("acknowledged" + suffix, "stored" + suffix, "cpu" + suffix);
        List<Map<String, Double>> counted = new ArrayList<>();
        for (int round = 0; round <= rounds; round++) {
            Map<String, Double> figures = round(round, Map.of(one, first, other, second), ratios);
            System.out.println(Measure.json(figures));
            if (round > 0) {
                counted.add(figures);
            }
        }
        System.out.println(Measure.json(IngestTurns.medians(counted, ratios)));
    }

    private Map<String, Double> round(int round, Map<String, Side> sides, List<String> ratios) throws Exception {
        Map<String, Double> acknowledged = new LinkedHashMap<>();
        Map<String, Double> stored = new LinkedHashMap<>();
        Map<String, Double> cpu = new LinkedHashMap<>();
        Map<String, Double> blobs = new LinkedHashMap<>();
        for (String turn : List.of(one, other, other, one)) {
            Side side = sides.get(turn);
            if (side == null) {
                throw new IllegalStateException(turn);
            }
            double before = side.servers().cpuSeconds();
            double had = blobs(side);
            long start = System.nanoTime();
            acknowledged.merge(turn, turns.turn(side.client(), side.servers().nextTurn()), Double::sum);
            side.client().flush();
            stored.merge(turn, Measure.seconds(start), Double::sum);
            cpu.merge(turn, side.servers().cpuSeconds() - before, Double::sum);
            blobs.merge(turn, blobs(side) - had, Double::sum);
        }
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put("round", (double) round);
        double files = 2.0 * turns.files();
        acknowledged.forEach((name, taken) -> figures.put(name + "_acknowledged_per_second", files / taken));
        stored.forEach((name, taken) -> figures.put(name + "_stored_per_second", files / taken));
        cpu.forEach((name, taken) -> figures.put(name + "_cpu_seconds", taken));
        blobs.forEach((name, made) -> figures.put(name + "_blobs", made));
        figures.put(ratios.get(0), IngestTurns.ratio(acknowledged, one, other));
        figures.put(ratios.get(1), IngestTurns.ratio(stored, one, other));
        figures.put(ratios.get(2), IngestTurns.ratio(cpu, other, one));
        return figures;
    }

    private static double blobs(Side side) throws IOException {
        return (double) side.client().bdt().statistics().blobs();
    }
}
