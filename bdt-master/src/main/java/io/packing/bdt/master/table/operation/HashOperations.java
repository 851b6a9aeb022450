// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.operation;

import io.packing.bdt.NotedContent;
import io.packing.bdt.master.table.change.Transaction;
import io.packing.bdt.master.table.read.ContentHashes;
import io.packing.bdt.master.table.row.SessionId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/** The mutation by which workers tell the hashes of files that they claimed without them. Confined to the writer thread. */
public final class HashOperations {
    private HashOperations() {}

    /** Notes the hashes of files in the worker's buffer, and returns those; the others are over, or another worker's. */
    public static List<NotedContent> note(Transaction transaction, SessionId session, List<NotedContent> contents)
            throws IOException {
        transaction.checkSession(session);
        List<NotedContent> noted = new ArrayList<>(contents.size());
        for (NotedContent each : contents) {
            if (ContentHashes.isBufferedBy(transaction.namespace(), each.version(), session.worker())) {
                ContentHashes.put(
                        transaction.rows(), each.sha256(), each.version(), OptionalInt.of(each.fingerprint()));
                noted.add(each);
            }
        }
        return noted;
    }
}
