// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.experiment;

import com.typesafe.config.Config;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A figure of a paper, with the rule that finds it in an experiment's results.
 *
 * @param says the paper's sentence, shortened
 * @param where page, section, figure or table
 * @param paper the paper's number
 * @param known number of the simulation at the scale of a check, if it differs from the paper's
 */
record PaperClaim(
        String says, String where, ClaimKind kind, ClaimRule rule, ClaimBound paper, Optional<ClaimBound> known) {
    /** The relative difference between two seeds, about (docs/simulator.md). */
    private static final double CHANCE = 0.01;

    private static final List<String> NAMES =
            List.of("says", "where", "kind", "paper", "bound", "tolerance", "because", "differs");

    /**
     * The simulation's figure; the median of several seeds decides.
     *
     * @param chance possible error of a single seed's number
     */
    record Outcome(PaperClaim claim, SeedSpread found, double chance) {
        String verdict() {
            if (Double.isNaN(found.median())) {
                return "not decidable";
            }
            if (!claim.paper.holds(found.median())) {
                return "differs";
            }
            return claim.kind == ClaimKind.PREDICTION ? "reproduced" : claim.kind.label();
        }

        /** Returns the verdict of a check: a known difference is one while the number stays. */
        ClaimCheck.Verdict checked() {
            boolean held = claim.paper.holds(found.median());
            if (claim.known.isEmpty()) {
                return held ? ClaimCheck.Verdict.HELD : ClaimCheck.Verdict.FAILED;
            }
            return !held && claim.known.get().holds(found.median())
                    ? ClaimCheck.Verdict.DIFFERS
                    : ClaimCheck.Verdict.FAILED;
        }
    }

    /** @param source of the experiment, for a claim that names no other place */
    static PaperClaim from(Config c, String source) {
        List<String> names = new ArrayList<>(NAMES);
        names.addAll(ClaimRule.NAMES);
        NameChecks.only(c, "claims", names);
        Optional<ClaimBound> known = Optional.empty();
        if (c.hasPath("differs")) {
            Config differs = c.getConfig("differs");
            NameChecks.only(differs, "claims.differs", List.of("ours", "tolerance", "because"));
            known = Optional.of(ClaimBound.from(differs, "ours"));
        }
        return new PaperClaim(
                c.getString("says"),
                c.hasPath("where") ? c.getString("where") : source,
                ClaimKind.named(c.getString("kind")),
                ClaimRule.from(c),
                ClaimBound.from(c, "paper"),
                known);
    }

    Outcome check(Results results) {
        SeedSpread found = rule.found(results);
        return new Outcome(this, found, rule.isRandom(results) ? CHANCE * Math.abs(found.median()) : 0);
    }
}
