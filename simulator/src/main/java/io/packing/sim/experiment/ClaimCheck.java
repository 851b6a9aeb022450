// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.experiment;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A check of all claims of experiments on a small trace. A claim of any kind fails when the simulation leaves its tolerance. A
 * prediction that is known to differ from the paper fails when the simulation leaves the known number, also towards the paper's.
 */
public final class ClaimCheck {
    /** The events of each synthetic machine in a check: a sixth of a percent of a real one's. */
    public static final int EVENTS = 1_000_000;

    /** The verdict on a claim. */
    enum Verdict {
        HELD,
        /** Known to differ from the paper, by the number that is found. */
        DIFFERS,
        FAILED;

        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private record Line(String experiment, PaperClaim claim, String found, Verdict verdict) {}

    private final List<Line> lines = new ArrayList<>();

    private ClaimCheck() {}

    /**
     * Runs the points that the experiments' claims read, and checks the claims. All claims of an experiment that cannot run fail.
     *
     * @param experiments each once for each seed
     */
    public static ClaimCheck run(List<List<Experiment>> experiments, Sweep sweep, SweepListener listener)
            throws InterruptedException {
        ClaimCheck check = new ClaimCheck();
        for (List<Experiment> seeds : experiments) {
            List<Experiment> claimed = seeds.stream().map(Experiment::ofClaims).toList();
            Experiment first = claimed.get(0);
            if (first.claims().isEmpty()) {
                continue;
            }
            try {
                check.add(sweep.run(claimed, listener));
            } catch (IOException | RuntimeException e) {
                String why = String.valueOf(e.getMessage());
                first.claims().forEach(claim -> check.lines.add(new Line(first.name(), claim, why, Verdict.FAILED)));
            }
        }
        return check;
    }

    private void add(Results results) {
        boolean several = results.seeds().size() > 1;
        for (PaperClaim.Outcome outcome : results.outcomes()) {
            lines.add(new Line(
                    results.experiment().name(),
                    outcome.claim(),
                    outcome.found().text(several ? 0 : outcome.chance()),
                    outcome.checked()));
        }
    }

    /** Returns the number of claims. */
    public int claims() {
        return lines.size();
    }

    /** Returns the number of claims that failed. */
    public long failed() {
        return count(Verdict.FAILED);
    }

    private long count(Verdict verdict) {
        return lines.stream().filter(line -> line.verdict == verdict).count();
    }

    private long held(ClaimKind kind) {
        return lines.stream()
                .filter(line -> line.verdict == Verdict.HELD && line.claim.kind() == kind)
                .count();
    }

    /**
     * Returns the check as a JSON value: numbers of {@code claims}, {@code held} predictions, {@code failed} claims, {@code identities}
     * and {@code inputs} that came out, and predictions that {@code differ} as is known; and a {@code list} of all.
     */
    public Map<String, Object> json() {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("claims", claims());
        all.put("held", held(ClaimKind.PREDICTION));
        all.put("failed", failed());
        all.put("identities", held(ClaimKind.IDENTITY));
        all.put("inputs", held(ClaimKind.INPUT));
        all.put("differ", count(Verdict.DIFFERS));
        all.put("list", lines.stream().map(ClaimCheck::json).toList());
        return all;
    }

    private static Map<String, Object> json(Line line) {
        Map<String, Object> claim = new LinkedHashMap<>();
        claim.put("experiment", line.experiment);
        claim.put("says", line.claim.says());
        claim.put("where", line.claim.where());
        claim.put("kind", line.claim.kind().label());
        claim.put("paper", line.claim.paper().figure());
        claim.put("tolerance", line.claim.paper().tolerance());
        claim.put("because", line.claim.paper().reason());
        claim.put("found", line.found);
        claim.put("verdict", line.verdict.label());
        line.claim.known().ifPresent(known -> claim.put("known", known.text() + ": " + known.reason()));
        return claim;
    }

    /** Returns a table of all claims, and a line that counts them. */
    public String text() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("experiment", "the paper says", "kind", "paper", "found", "known", "verdict"));
        for (Line line : lines) {
            rows.add(List.of(
                    line.experiment,
                    line.claim.says(),
                    line.claim.kind().label(),
                    line.claim.paper().text(),
                    line.found,
                    line.claim.known().map(ClaimBound::text).orElse(""),
                    line.verdict.label()));
        }
        return "%s%n%d claims: %d predictions held, %d differ as is known, %d identities, %d inputs, %d failed%n"
                .formatted(
                        Tables.text(rows),
                        claims(),
                        held(ClaimKind.PREDICTION),
                        count(Verdict.DIFFERS),
                        held(ClaimKind.IDENTITY),
                        held(ClaimKind.INPUT),
                        failed());
    }
}
