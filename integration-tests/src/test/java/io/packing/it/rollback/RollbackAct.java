package io.packing.it.rollback;

/** Rollbacks, losses and damage that end a round. */
enum RollbackAct {
    /** All processes end, or are killed, and start again. */
    RESTART,
    /** One worker's directory is put back to an older copy. */
    WORKER,
    /** So are those of all workers. */
    WORKERS,
    /** The master's directory is put back to an older copy. */
    MASTER,
    /** So are those of master and workers, each to a copy of its own time. */
    MASTER_AND_WORKERS,
    /** The master's directory is gone. */
    LOSE_MASTER,
    /** The store, and all directories with it, are put back to copies of one moment. */
    EVERYTHING,
    /** The store alone is put back to an older copy, and later to the newest one. */
    STORE,
    /** The footer of a blob is damaged, and the master's directory is gone. */
    FOOTER,
    /** A journal is damaged, and the master's directory is gone. */
    JOURNAL,
    /** A backup is damaged, and the master's directory is gone. */
    BACKUP,
    /** A blob is damaged, and nothing else. */
    BLOB,
    /** A second worker starts on a copy of the directory of a live one. */
    COPY_OF_LIVE_WORKER,
    /** A second master starts on a copy of the directory of a live one. */
    COPY_OF_LIVE_MASTER
}
