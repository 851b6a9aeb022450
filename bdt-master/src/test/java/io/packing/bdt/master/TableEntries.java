// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import io.packing.bdt.Bdt;
import io.packing.bdt.FileStatus;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/** All that a table shows, as {@link ByteModel#entries} says what it must show. */
final class TableEntries {
    private static final int MOST = 1_000;

    /** Says what a file has. */
    interface Reader {
        String read(FileStatus file) throws IOException;
    }

    private final Bdt table;
    private final Reader reader;
    private final Map<String, String> found = new TreeMap<>();

    private TableEntries(Bdt table, Reader reader) {
        this.table = table;
        this.reader = reader;
    }

    /** Every path of the present and of snapshots, with what the reader says of a file, or the word directory. */
    static Map<String, String> of(Bdt table, Reader reader) throws IOException {
        TableEntries entries = new TableEntries(table, reader);
        entries.walk(FilePath.ROOT, true);
        return entries.found;
    }

    private String extended(FileStatus entry) throws IOException {
        // Most have none and need no request.
        return entry.extras().hasExtended()
                ? ModelAttributes.shown(table.extended(entry.path()).orElseThrow())
                : "";
    }

    private void walk(FilePath directory, boolean present) throws IOException {
        for (FileStatus entry : table.list(directory, "", MOST).orElseThrow()) {
            String has = entry.isDirectory() ? "directory" : reader.read(entry);
            found.put(entry.path().value(), has + extended(entry));
            if (entry.isDirectory()) {
                walk(entry.path(), present);
            }
        }
        if (present) {
            for (FileStatus taken :
                    table.list(directory.child(FilePath.SNAPSHOTS), "", MOST).orElseThrow()) {
                found.put(taken.path().value(), "snapshot");
                walk(taken.path(), false);
            }
        }
    }
}
