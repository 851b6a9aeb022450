// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.masters;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The result of rounds, which is counted while they are played. */
public final class MasterGroupResult {
    private final String seed;
    private final Map<String, List<Long>> outages = new TreeMap<>();
    private final List<String> failedSeeds = new ArrayList<>();
    private int rounds;
    private int broken;
    private long operations;
    private long files;
    private int lost;
    private int nonlinearizable;
    private int undecided;
    private double seconds;

    MasterGroupResult(String seed) {
        this.seed = seed;
    }

    void add(MasterGroupRound.Report report) {
        operations += report.operations();
        files += report.files();
        lost += report.lost().size();
        nonlinearizable += report.nonlinearizable().size();
        undecided += report.undecided().size();
        for (MasterGroupRound.Outage outage : report.outages()) {
            outages.computeIfAbsent(outage.act().name(), unseen -> new ArrayList<>())
                    .add(outage.longest().toMillis());
        }
    }

    void played() {
        rounds++;
    }

    void broken() {
        broken++;
    }

    void failed(long roundSeed) {
        failedSeeds.add(Long.toString(roundSeed));
    }

    void took(double time) {
        seconds = time;
    }

    /** Returns whether no file was lost, each history is linearizable, and each round was played to its end. */
    public boolean isClean() {
        return failedSeeds.isEmpty();
    }

    public int rounds() {
        return rounds;
    }

    public long operations() {
        return operations;
    }

    /** Returns the longest time in which a client was not served, of those that should have been. */
    public long longestOutageMillis() {
        return outages.values().stream()
                .flatMap(List::stream)
                .mapToLong(Long::longValue)
                .max()
                .orElse(0);
    }

    /** Returns the figures under the names that programs read. */
    public Map<String, Object> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("rounds", rounds);
        fields.put("operations", operations);
        fields.put("lost", lost);
        fields.put("nonlinearizable", nonlinearizable);
        fields.put("longest_outage_ms", longestOutageMillis());
        fields.put("undecided", undecided);
        fields.put("broken_rounds", broken);
        fields.put("files_checked", files);
        fields.put("seed", seed);
        fields.put("failed_round_seeds", failedSeeds);
        fields.put("seconds", Math.round(seconds * 10) / 10.0);
        fields.put(
                "outages",
                outages.entrySet().stream()
                        .map(each -> row(each.getKey(), each.getValue()))
                        .toList());
        return fields;
    }

    private static Map<String, Object> row(String act, List<Long> millis) {
        List<Long> sorted = millis.stream().sorted().toList();
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("act", act);
        row.put("count", sorted.size());
        row.put("median_ms", sorted.get(sorted.size() / 2));
        row.put("longest_ms", sorted.get(sorted.size() - 1));
        return row;
    }
}
