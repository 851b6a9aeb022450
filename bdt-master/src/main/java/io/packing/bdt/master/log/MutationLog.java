// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.log;

import java.io.IOException;
import java.util.Optional;

/**
 * The mutation log of a mount: one record for each batch of mutations, in their order, kept as long as the store may lack on
 * stable storage what they say. Confined to the writer thread.
 */
public interface MutationLog extends AutoCloseable {
    /** Receives the records of a replay in order. */
    interface Reader {
        void record(byte[] payload) throws IOException;
    }

    /** Returns whether answers wait for {@link #sync}; if not, a power loss may cost more of the log than of the store. */
    boolean isSynced();

    /** The payload of the last record, when there is one. */
    Optional<byte[]> last();

    /** Hands every record over, oldest first. Call before the first append. */
    void replay(Reader reader) throws IOException;

    /**
     * Appends a record; it is durable after {@link #sync}.
     *
     * @param firstPosition of its mutations
     * @throws io.packing.sorted.DiskFullException when there is no room; nothing of the record is in the log then
     */
    void append(long firstPosition, byte[] payload) throws IOException;

    /** Makes durable what was appended. */
    void sync() throws IOException;

    /** The end of the log before the next record, to come back to with {@link #truncate}. */
    long mark();

    /** Takes the record after the mark back. */
    void truncate(long mark) throws IOException;

    /** Returns whether the records to trim are worth a sync of the store. */
    boolean isLong();

    /** Drops the records that the store has made redundant. Call only when the store has what they say on stable storage. */
    void trim() throws IOException;

    @Override
    void close() throws IOException;
}
