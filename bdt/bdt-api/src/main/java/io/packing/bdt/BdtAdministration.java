// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import java.io.IOException;
import java.util.List;

/**
 * Calls of operators to a mount's table: its rows, its workers, its backups. Thread-safe.
 */
public interface BdtAdministration {
    /**
     * Returns a page of the rows of one kind, in the order of the table.
     *
     * @param after the end of the page before; empty: the first page
     */
    ScanPage scan(ScanPart part, String after) throws IOException;

    /** Returns the workers of this mount whose lease has not ended. */
    List<WorkerInfo> workers() throws IOException;

    /** Returns bytes and files by state, and blobs with their live bytes. */
    BdtStatistics statistics() throws IOException;

    /**
     * Uploads at once all changes that a recovery would miss now: at most a journal and a backup. A table without a
     * backup does nothing.
     */
    void checkpoint() throws IOException;

    /**
     * Orders every live worker, with its next heartbeat, to seal and push its buffered files. It does not wait for
     * them; a table without workers does nothing.
     */
    void sealNow() throws IOException;
}
