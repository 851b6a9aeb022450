// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table;

import io.packing.bdt.Claim;
import io.packing.bdt.WantedContent;
import io.packing.bdt.master.table.operation.Claimants;
import io.packing.bdt.master.table.read.ContentHashes;
import io.packing.bdt.master.table.read.HashFilter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Answers which contents a new file could share, by their hashes. Thread-safe. */
final class KnownContents {
    private final TableState state;
    private final HashFilter hashes;

    KnownContents(TableState state) {
        this.state = state;
        this.hashes = new HashFilter(state.rows());
    }

    /** Learns of claims that were written. */
    void claimed(List<Claim> claims) {
        claims.forEach(claim -> claim.sha256().ifPresent(hashes::add));
    }

    /** Returns which contents a claim for their users could share; one answer for each. */
    List<Boolean> known(List<WantedContent> wanted, Claimants claimants) throws IOException {
        return state.ask(view -> {
            List<Boolean> known = new ArrayList<>(wanted.size());
            for (WantedContent each : wanted) {
                known.add(hashes.mayHave(each.sha256())
                        && ContentHashes.find(view.rows(), view.namespace(), claimants.of(each.user()), each.sha256())
                                .isPresent());
            }
            return known;
        });
    }
}
