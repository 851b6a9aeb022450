// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table;

import com.google.common.collect.ImmutableRangeSet;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.FingerprintPage;
import io.packing.bdt.NotedContent;
import io.packing.bdt.WantedContent;
import io.packing.bdt.master.table.change.TableWriter;
import io.packing.bdt.master.table.operation.Claimants;
import io.packing.bdt.master.table.operation.HashOperations;
import io.packing.bdt.master.table.read.ContentHashes;
import io.packing.bdt.master.table.read.ContentUse;
import io.packing.bdt.master.table.read.FingerprintList;
import io.packing.bdt.master.table.read.HashFilter;
import io.packing.bdt.master.table.row.SessionId;
import io.packing.bdt.master.table.row.SessionRow;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;

/** Answers which contents a new file could share, by their hashes or fingerprints, and which bytes of contents are used. Thread-safe. */
public final class KnownContents {
    private final TableState state;
    private final TableWriter writer;
    private final HashFilter hashes;
    private final FingerprintList fingerprints;

    /** @param started the time of this opening of the table */
    KnownContents(TableState state, TableWriter writer, Instant started) {
        this.state = state;
        this.writer = writer;
        this.hashes = new HashFilter(state.rows());
        this.fingerprints = new FingerprintList(state.rows(), started.toEpochMilli());
    }

    /** Learns of claims that were written, and returns their results. */
    List<ClaimResult> claimed(List<Claim> claims, List<ClaimResult> results) {
        for (Claim claim : claims) {
            if (claim.sha256().isPresent() && !claim.shared()) {
                hashes.add(claim.sha256().get());
                fingerprints.add(claim.fingerprint());
            }
        }
        return results;
    }

    /** Notes the hashes of files that a worker buffers. */
    public CompletableFuture<Boolean> note(SessionId session, List<NotedContent> contents) {
        return writer.submit(transaction -> HashOperations.note(transaction, session, contents))
                .thenApply(written -> {
                    for (NotedContent each : written) {
                        hashes.add(each.sha256());
                        fingerprints.add(OptionalInt.of(each.fingerprint()));
                    }
                    return true;
                });
    }

    /** Returns a page of the fingerprints. */
    public FingerprintPage fingerprints(SessionId session, long list, long after) throws IOException {
        check(session);
        return fingerprints.page(list, after);
    }

    /** Finds the ranges of versions that files and snapshots have; empty: all of a version. One answer for each, in their order. */
    public List<Optional<ImmutableRangeSet<Long>>> used(List<FileVersion> versions) throws IOException {
        return state.ask(view -> {
            ContentUse use = new ContentUse(view.rows(), view.namespace());
            List<Optional<ImmutableRangeSet<Long>>> used = new ArrayList<>(versions.size());
            for (FileVersion each : versions) {
                used.add(use.of(each));
            }
            return used;
        });
    }

    private void check(SessionId session) throws IOException {
        SessionRow unused = state.sessions().check(session, state.sessions().of(session.worker()));
    }

    /** Returns which contents a claim for their users could share; one answer for each. */
    List<Boolean> known(SessionId session, List<WantedContent> wanted, Claimants claimants) throws IOException {
        check(session);
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
