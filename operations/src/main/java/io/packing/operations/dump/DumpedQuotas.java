// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.dump;

import io.packing.bdt.Bdt;
import io.packing.bdt.DeniedException;
import io.packing.bdt.Outcome;
import io.packing.bdt.Quota;
import io.packing.bdt.QuotaChange;
import io.packing.bdt.ScanPart;
import io.packing.blob.FilePath;
import io.packing.operations.walk.ScanPages;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;

/** Limits of directories in dumps. Dumps have no counts: the master counts when a limit is set. */
final class DumpedQuotas {
    private DumpedQuotas() {}

    /** Returns a mount's limits by directory; none for users without the right, and none from older masters. */
    static Map<FilePath, QuotaChange> of(Bdt bdt) throws IOException {
        Map<FilePath, QuotaChange> all = new LinkedHashMap<>();
        try {
            ScanPages.visit(
                    bdt,
                    ScanPart.QUOTAS,
                    page -> page.quotas().forEach(each -> all.put(each.directory(), limits(each.quota()))));
        } catch (DeniedException | IllegalArgumentException | UnsupportedOperationException none) {
            all.clear();
        }
        return all;
    }

    private static QuotaChange limits(Quota quota) {
        return new QuotaChange(
                OptionalLong.of(quota.mostNames().orElse(QuotaChange.NO_LIMIT)),
                OptionalLong.of(quota.mostBytes().orElse(QuotaChange.NO_LIMIT)));
    }

    /** Sets those of a dump, when all its files are there. */
    static void set(Bdt bdt, Map<FilePath, QuotaChange> quotas, LoadCounts counts) throws IOException {
        for (Map.Entry<FilePath, QuotaChange> each : quotas.entrySet()) {
            try {
                Outcome outcome = bdt.setQuota(each.getKey(), each.getValue());
                if (outcome != Outcome.DONE) {
                    counts.failed(each.getKey(), "the quota cannot be set: " + outcome);
                }
            } catch (DeniedException e) {
                counts.failed(each.getKey(), "the quota cannot be set: " + e.getMessage());
            }
        }
    }
}
