// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.rpc;

import io.packing.bdt.SharedMountOptions;
import io.packing.bdt.master.table.BlobPlaces;
import io.packing.bdt.master.table.Table;
import io.packing.bdt.master.table.WorkerOrders;
import io.packing.bdt.master.table.read.CollectionTimes;
import java.io.IOException;

/** An open mount, as the service needs it. Thread-safe. */
public interface ServedMount {
    String id();

    Table table();

    /** The name of the key by which its objects are encrypted; empty: they are not. */
    String encryptionKey();

    /** Returns the mount's shared options. */
    SharedMountOptions terms();

    /** Returns the times at which blobs without live bytes may be collected. */
    CollectionTimes collectionTimes();

    /** Returns the places of the mount's blobs. */
    BlobPlaces evacuation();

    /** Returns the orders to copy live bytes. */
    WorkerOrders copies();

    /** Uploads whatever a recovery would miss. */
    void checkpoint() throws IOException;
}
