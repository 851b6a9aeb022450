// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos;

/** An event of a round, which happens while clients write and read. */
enum Act {
    /** Nothing happens. */
    CALM,
    /** A worker is killed, and starts on its buffer. */
    KILL_WORKER,
    /** A worker is killed, and starts without its buffer. */
    LOSE_WORKER,
    /** The master is killed, and starts on its table. */
    KILL_MASTER,
    /**
     * After a checkpoint the master is killed and its table deleted: the next master recovers the table from the store.
     */
    RECOVER,
    /**
     * The master is killed and its table deleted, without a checkpoint: changes of the namespace since the last one may
     * be undone.
     */
    RECOVER_WITHOUT_CHECKPOINT,
    /** The master is recovered from the store; later a worker is killed, and starts on its buffer. */
    RECOVER_THEN_KILL_WORKER,
    /** A worker is killed, and starts on an older copy of its buffer. */
    OLDER_WORKER,
    /** After a checkpoint the master is killed, and starts on an older copy of its directory. */
    OLDER_MASTER,
    /** A client is killed, and loses its directory. */
    KILL_CLIENT,
    /** The master, all workers and one client are killed together. */
    KILL_ALL,
    /** The master is stopped by SIGTERM, and starts on its table. */
    STOP_MASTER,
    /** A worker is stopped by SIGTERM, and starts on its buffer. */
    STOP_WORKER,
    /** Some requests to the store fail, are late, or get no answer. */
    STORE_FAULTS,
    /** No request to the store succeeds for a while. */
    OUTAGE,
    /** During an outage of the store, a worker is killed and its buffer deleted. */
    OUTAGE_LOSE_WORKER,
    /** During an outage of the store, the master is killed; it starts on its table. */
    OUTAGE_KILL_MASTER,
    /** After a flush, most files are deleted, so that some blobs have no live files. */
    COLLECT,
    /** Large blobs are written and most of their files deleted, so that the master compacts them. */
    COMPACT,
    /** After a flush and a checkpoint all directories are deleted: only the store is left. */
    STORE_ALONE
}
