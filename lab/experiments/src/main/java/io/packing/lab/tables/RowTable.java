// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.tables;

import java.io.IOException;
import java.util.List;

/** A table of a table format with one column of numbers, to which writers append a row each, in a file of its own. */
interface RowTable {
    /** A row whose file is written, and which no reader sees yet. */
    interface Append {
        /** Commits once; returns whether the row is in the table, false: another writer's commit came first. */
        boolean commit() throws IOException;
    }

    /** Makes the table, which must not exist. */
    void create() throws IOException;

    /** Writes a row's file, for a commit upon the table's newest version. */
    Append prepare(long row) throws IOException;

    /** Reads all rows of the newest version, from the table's files. */
    List<Long> rows() throws IOException;

    /** Counts the versions since the table was made, that of its creation not included. */
    long commits() throws IOException;
}
