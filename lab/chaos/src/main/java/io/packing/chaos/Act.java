package io.packing.chaos;

/** What happens in a part of a round while clients write and read. */
enum Act {
    /** Nothing. */
    CALM,
    /** A worker is killed and started on its buffer. */
    KILL_WORKER,
    /** A worker is killed and its buffer thrown away. */
    LOSE_WORKER,
    /** The master is killed and started on its table. */
    KILL_MASTER,
    /** After a checkpoint the master is killed and its table thrown away: the next one recovers it from the store. */
    RECOVER,
    /** The same without a checkpoint: changes of the namespace since the last one may be undone. */
    RECOVER_WITHOUT_CHECKPOINT,
    /** A recovery, and later a worker that is killed and started on its buffer. */
    RECOVER_THEN_KILL_WORKER,
    /** A worker is killed and started on an older copy of its buffer. */
    OLDER_WORKER,
    /** After a checkpoint the master is killed and started on an older copy of its directory. */
    OLDER_MASTER,
    /** A client is killed, with what it has on disk. */
    KILL_CLIENT,
    /** Master, workers and a client are killed together. */
    KILL_ALL,
    /** The master is told to end, and started on its table. */
    STOP_MASTER,
    /** A worker is told to end, and started on its buffer. */
    STOP_WORKER,
    /** Some requests to the store fail, are late, or are not answered. */
    STORE_FAULTS,
    /** No request to the store succeeds for a while. */
    OUTAGE,
    /** While the store is out, a worker is killed and its buffer thrown away. */
    OUTAGE_LOSE_WORKER,
    /** While the store is out, the master is killed and started on its table. */
    OUTAGE_KILL_MASTER,
    /** Everything is flushed, and then most files are deleted, so that blobs have nothing live. */
    COLLECT,
    /** Large blobs are written and most of their files deleted, so that the master rewrites them. */
    COMPACT,
    /** After a flush and a checkpoint all directories are thrown away: what is in the store is all there is. */
    STORE_ALONE
}
