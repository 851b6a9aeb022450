// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.databases;

/** A journal mode of SQLite, by SQLite's own word. */
public enum SqliteJournal {
    /** A rollback journal, which each commit deletes. */
    DELETE,
    /** A write-ahead log, with an index in shared memory. */
    WAL
}
