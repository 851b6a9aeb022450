// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.fsck;

import io.packing.bdt.Bdt;
import io.packing.bdt.Outcome;
import io.packing.bdt.QuotaChange;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.Comparator;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Counts quotas anew that count wrong, and those above them: a quota counts what the next one below it counts. So the lowest is
 * first. Confined to one thread.
 */
final class QuotaRepair {
    /** Sets a quota to the limits that it has. The master counts it whenever it is set. */
    private static final QuotaChange AGAIN = new QuotaChange(OptionalLong.empty(), OptionalLong.empty());

    private final Bdt bdt;
    private final SortedSet<FilePath> wrong = new TreeSet<>(
            Comparator.comparingInt(QuotaRepair::levels).reversed().thenComparing(Comparator.naturalOrder()));
    private long findings;

    QuotaRepair(Bdt bdt) {
        this.bdt = bdt;
    }

    private static int levels(FilePath path) {
        return path.isRoot()
                ? 0
                : (int) path.value().chars().filter(c -> c == '/').count();
    }

    /** Takes it, if it is a quota that can be counted anew. */
    void take(Damage damage) {
        if (damage.kind() == DamageKind.QUOTA && !damage.path().isEmpty()) {
            findings++;
            for (Optional<FilePath> at = Optional.of(new FilePath(damage.path()));
                    at.isPresent();
                    at = at.get().parent()) {
                boolean unused = wrong.add(at.get());
            }
        }
    }

    /** Returns the number of findings that it mends. */
    long findings() {
        return findings;
    }

    /** Counts the names and bytes of each wrong directory anew, or only reports each. */
    long run(boolean counting, Consumer<String> told) throws IOException {
        long counted = 0;
        for (FilePath directory : wrong) {
            if (bdt.quota(directory).isEmpty()) {
                continue;
            }
            Outcome outcome = counting ? bdt.setQuota(directory, AGAIN) : Outcome.DONE;
            if (outcome == Outcome.DONE) {
                counted++;
            }
            if (!counting) {
                told.accept("count the quota of %s anew".formatted(directory));
            } else if (outcome != Outcome.DONE) {
                told.accept("the quota of %s stays: %s".formatted(directory, outcome));
            }
        }
        return counted;
    }
}
