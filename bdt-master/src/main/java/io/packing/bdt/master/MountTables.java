// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import io.packing.bdt.master.cloud.ReadyMount;
import io.packing.bdt.master.log.BatchStore;
import io.packing.sorted.SortedStore;
import io.packing.sorted.WriteBatch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The tables of mounts, on one master's disk or on the disks of a group of masters. One master of a group opens mounts at a
 * time. Thread-safe; one mount is asked for at a time.
 */
public interface MountTables {
    /** Makes a table. */
    interface Filling {
        /** Writes all rows to an empty store, which the caller closes. */
        void fill(SortedStore fresh) throws IOException;
    }

    /** Returns the unique id of these tables' owner; other masters see it in leases. */
    String holder();

    /** Returns whether several masters have the tables: then each opening of a mount takes a new epoch. */
    boolean isShared();

    /** A folder of this master for a mount; its scratch files are there. */
    Path folder(String mount);

    /** Gives the table of a mount the name by which the mount is known now. */
    void rename(String before, String mount) throws IOException;

    /** Returns the table's owner; empty without a complete table. */
    Optional<ReadyMount> ready(String mount) throws IOException;

    /** Opens the table for a look. */
    SortedStore look(String mount) throws IOException;

    /** Makes the table of a mount anew, and that of this holder. Until it is complete, there is none. */
    void recover(String mount, ReadyMount ready, Filling filling) throws IOException;

    /** Makes the table that is there that of this holder. */
    void hold(String mount, ReadyMount ready) throws IOException;

    /** Begins a table that another group sends, in the place of one that was begun before. The mount's own stays meanwhile. */
    void receive(String mount, long token) throws IOException;

    /** Writes rows of a table that was begun with this token. */
    void received(String mount, long token, WriteBatch rows) throws IOException;

    /**
     * Makes what was received durable.
     *
     * @param complete whether nothing more comes; otherwise there is time to make the table quick to open
     */
    void receivedAll(String mount, long token, boolean complete) throws IOException;

    /** One row of what was received. */
    Optional<byte[]> ofReceived(String mount, long token, byte[] key) throws IOException;

    /** The token of the table that was begun last and not taken; empty: there is none. */
    Optional<Long> receiving(String mount) throws IOException;

    /** Receives nothing any more; what was received stays. */
    void stopReceiving() throws IOException;

    /** Takes the table that was received in the place of the mount's own, if there is one. */
    void takeReceived(String mount, long token, ReadyMount ready) throws IOException;

    /**
     * Opens a table that is {@link #ready}.
     *
     * @param synced whether what is answered has to outlive a loss of power, where the table does not say it
     */
    BatchStore open(String mount, boolean synced) throws IOException;
}
