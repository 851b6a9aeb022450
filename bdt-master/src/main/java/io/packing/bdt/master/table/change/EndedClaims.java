// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.change;

import io.packing.bdt.master.table.row.Bytes;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.Rows;
import io.packing.bdt.master.table.row.Staged;
import io.packing.bdt.master.table.row.WriteSet;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The versions of recent claims that ended while only a worker had their bytes. A claim repeated after a lost answer is not
 * granted again, so the file does not come back. Kept in the table beside {@link RequestMemory}, hence
 * over a restart. What a mutation or a batch remembered is forgotten when it is taken back. Confined to the writer thread.
 */
public final class EndedClaims implements Staged {
    private static final int SLOTS = 16_384;

    private record Ended(long number, FileVersion version) {}

    private final Map<Long, FileVersion> versions = new LinkedHashMap<>();
    private final BatchAdditions<Long> added = new BatchAdditions<>(this::forget);
    /** The number of the next one. */
    private long number;

    /** Reads what the table remembers, oldest first. */
    static EndedClaims load(Rows rows) throws IOException {
        List<Ended> loaded = new ArrayList<>();
        rows.scan(key(0), Keys.kindEnd(Keys.REQUEST), (key, value) -> {
            Bytes.In in = new Bytes.In(value);
            long id = in.fixed8();
            String unused = in.text();
            loaded.add(new Ended(in.number(), new FileVersion(id, in.number())));
            return true;
        });
        loaded.sort(Comparator.comparingLong(Ended::number));
        EndedClaims claims = new EndedClaims();
        loaded.forEach(each -> claims.versions.put(each.version.id(), each.version));
        claims.number = loaded.isEmpty() ? 0 : loaded.get(loaded.size() - 1).number + 1;
        return claims;
    }

    /** Returns whether a row is one of these, and none of the {@link RequestMemory}. */
    static boolean isRow(byte[] key) {
        return Keys.number(key) >= Keys.ANSWER_SLOTS;
    }

    private static byte[] key(long number) {
        return Keys.numbered(Keys.REQUEST, Keys.ANSWER_SLOTS + number % SLOTS);
    }

    /** Returns the version that a claim of a file id was granted, if it is over. */
    public Optional<FileVersion> of(long fileId) {
        return Optional.ofNullable(versions.get(fileId));
    }

    void remember(WriteSet rows, FileVersion version) {
        versions.put(version.id(), version);
        added.add(version.id());
        // Begins as an answer to a request does: a master of a version before takes it for one.
        rows.put(
                key(number),
                new Bytes.Out()
                        .fixed8(version.id())
                        .text("DONE")
                        .number(number)
                        .number(version.generation())
                        .toBytes());
        number++;
    }

    @Override
    public void accept() {
        added.accept();
    }

    @Override
    public void reject() {
        added.reject();
    }

    @Override
    public void written() {
        added.written();
        while (versions.size() > SLOTS) {
            versions.remove(versions.keySet().iterator().next());
        }
    }

    @Override
    public void abandon() {
        added.abandon();
    }

    private void forget(long fileId) {
        versions.remove(fileId);
        number--;
    }
}
