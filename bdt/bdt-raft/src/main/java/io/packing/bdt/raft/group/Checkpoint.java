// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.raft.group;

import io.packing.sorted.Cursor;
import io.packing.sorted.SortedStore;
import io.packing.sorted.SortedView;
import io.packing.sorted.WriteBatch;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of all tables of a member between two entries, which another member reads in pages. A page is rows:
 * lengths and bytes of key and value. An empty page ends a folder. Confined to one thread.
 */
public final class Checkpoint implements AutoCloseable {
    private static final int PAGE_BYTES = 1 << 20;

    private final MasterGroupState state;
    private final Map<String, SortedView> views = new TreeMap<>();
    private @Nullable Cursor cursor;
    private String reading = "";
    private int pages;
    private byte[] lastPage = new byte[0];

    Checkpoint(MasterGroupState state) {
        this.state = state;
    }

    void add(String folder, SortedView view) {
        views.put(folder, view);
    }

    /** Returns the state of the group after the entries before the snapshot. */
    public MasterGroupState state() {
        return state;
    }

    /**
     * Returns a page of a folder. Callers read folders one after the other, and pages in their order. They may ask for
     * the last page again, since its answer may have been lost.
     */
    public byte[] page(String folder, int number) throws IOException {
        if (!reading.equals(folder)) {
            if (number != 0) {
                throw new IOException("page %d of a folder that is not being read".formatted(number));
            }
            endReading();
            SortedView view = Optional.ofNullable(views.get(folder))
                    .orElseThrow(() -> new IOException("this checkpoint has no folder %s".formatted(folder)));
            cursor = view.scan(new byte[0], new byte[0]);
            reading = folder;
            pages = 0;
        }
        if (number == pages - 1) {
            return lastPage;
        }
        if (number != pages) {
            throw new IOException("page %d after %d pages".formatted(number, pages));
        }
        Cursor from = cursor;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            while (from != null && bytes.size() < PAGE_BYTES && from.next()) {
                write(out, from.key());
                write(out, from.value());
            }
        }
        pages++;
        lastPage = bytes.toByteArray();
        return lastPage;
    }

    private static void write(DataOutputStream out, byte[] bytes) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    /** Writes the rows of a page to a store. */
    public static void write(DataInputStream page, SortedStore to) throws IOException {
        WriteBatch batch = new WriteBatch();
        while (page.available() > 0) {
            byte[] key = page.readNBytes(page.readInt());
            batch.put(key, page.readNBytes(page.readInt()));
        }
        to.write(batch, SortedStore.Sync.NONE);
    }

    private void endReading() {
        if (cursor != null) {
            cursor.close();
            cursor = null;
        }
    }

    @Override
    public void close() throws IOException {
        endReading();
        for (SortedView view : views.values()) {
            view.close();
        }
        views.clear();
    }
}
