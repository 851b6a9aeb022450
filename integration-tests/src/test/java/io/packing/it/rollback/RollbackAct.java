// SPDX-License-Identifier: Apache-2.0
package io.packing.it.rollback;

/** A rollback, loss or damage that ends a round. */
enum RollbackAct {
    /** All processes stop or are killed, and start again. */
    RESTART,
    /** One worker's directory is put back to an older copy. */
    WORKER,
    /** All workers' directories are put back to older copies. */
    WORKERS,
    /** The master's directory is put back to an older copy. */
    MASTER,
    /** The directories of master and workers are put back, each to a copy of its own time. */
    MASTER_AND_WORKERS,
    /** The master's directory is lost. */
    LOSE_MASTER,
    /** The store and all directories are put back to copies of one moment. */
    EVERYTHING,
    /** The store alone is put back to an older copy, and later to the newest one. */
    STORE,
    /** The footer of a blob is damaged, and the master's directory is lost. */
    FOOTER,
    /** A journal is damaged, and the master's directory is lost. */
    JOURNAL,
    /** A backup is damaged, and the master's directory is lost. */
    BACKUP,
    /** A blob is damaged, and no other object. */
    BLOB,
    /** A second worker starts on a copy of the directory of a live one. */
    COPY_OF_LIVE_WORKER,
    /** A second master starts on a copy of the directory of a live one. */
    COPY_OF_LIVE_MASTER
}
