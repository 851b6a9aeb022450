// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.change;

import io.packing.bdt.master.table.read.Namespace;
import io.packing.bdt.master.table.row.BlobRow;
import io.packing.bdt.master.table.row.Bytes;
import io.packing.bdt.master.table.row.Content;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.Staged;
import io.packing.bdt.master.table.row.WriteSet;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The accounts of what blobs have that live files need, in the rows of the blobs and in total. Confined to the writer
 * thread, but for {@link #errors}.
 */
public final class LiveBytes implements Staged {
    private static final Logger LOG = LoggerFactory.getLogger(LiveBytes.class);

    private final WriteSet writes;
    private final Counters counters;
    private final Namespace namespace;
    /** By how much the mutation under way changes the live bytes of blobs, by their number. */
    private final Map<Long, Long> changed = new LinkedHashMap<>();
    /** Blobs without live bytes that have no row yet that says since when. */
    private final Set<Long> dead = new LinkedHashSet<>();
    /** True if the mutation under way took a blob's last live bytes. */
    private boolean hasDied;

    private final AtomicLong accountErrors = new AtomicLong();

    LiveBytes(WriteSet writes, Counters counters, Namespace namespace) {
        this.writes = writes;
        this.counters = counters;
        this.namespace = namespace;
    }

    /** Counts what is in blobs, or counts it no more. */
    void adjust(Inode.Place place, int sign) {
        if (!(place instanceof Inode.Packed packed)) {
            return;
        }
        for (Inode.StoredExtent stored : packed.extents()) {
            long bytes = sign * (long) stored.extent().storedLength();
            changed.merge(stored.blob(), bytes, Long::sum);
            counters.liveBytes += bytes;
        }
    }

    /** Counts bytes that several files share, or counts them no more. */
    void count(Content content, int sign) {
        if (content.place() instanceof Inode.Buffered) {
            counters.bufferedFiles += sign;
        }
        counters.held().count(content.place(), content.length(), sign);
        adjust(content.place(), sign);
    }

    /** Writes the row of each blob whose live bytes changed: once, and not for each of its files. */
    void settle() throws IOException {
        for (Map.Entry<Long, Long> change : changed.entrySet()) {
            if (change.getValue() == 0) {
                continue;
            }
            long number = change.getKey();
            BlobRow before = namespace.placements().blob(number);
            BlobRow after = before.withLive(total(number, before, change.getValue()));
            replace(number, before, after);
            if (after.live() == 0) {
                die(number);
                hasDied = true;
            } else if (before.live() == 0) {
                live(number);
            }
        }
        changed.clear();
    }

    /**
     * Writes since when the blobs are dead that the mutation under way left without live bytes.
     *
     * @param since position of its last change
     * @return whether it took the last live bytes of one
     */
    boolean bury(long since) {
        for (long number : dead) {
            writes.put(
                    Keys.numbered(Keys.DEAD, number),
                    new Bytes.Out().number(since).toBytes());
        }
        dead.clear();
        return hasDied;
    }

    /** Learns that a blob has no live bytes. */
    void die(long number) {
        dead.add(number);
    }

    /** Learns that a blob has live bytes again, or that it is gone. */
    void live(long number) {
        dead.remove(number);
        writes.delete(Keys.numbered(Keys.DEAD, number));
    }

    /** Forgets the mutation under way. Its rows are kept or taken back elsewhere. */
    private void forget() {
        changed.clear();
        dead.clear();
        hasDied = false;
    }

    /** Blobs whose live bytes were found to be counted wrong. Any thread may ask. */
    public long errors() {
        return accountErrors.get();
    }

    /**
     * Counts the live bytes of a blob anew.
     *
     * @param versions all that its footer lists
     * @return whether they were wrong
     */
    public boolean recount(long number, List<FileVersion> versions) throws IOException {
        settle();
        Optional<BlobRow> blob = writes.get(Keys.numbered(Keys.BLOB, number)).map(BlobRow::decode);
        if (blob.isEmpty()) {
            return false;
        }
        long live = 0;
        for (FileVersion version : versions) {
            if (namespace.place(version).orElse(null) instanceof Inode.Packed packed) {
                live += packed.extents().stream()
                        .filter(extent -> extent.blob() == number)
                        .mapToLong(extent -> extent.extent().storedLength())
                        .sum();
            }
        }
        long before = blob.get().live();
        if (live == before) {
            return false;
        }
        accountErrors.incrementAndGet();
        LOG.error(
                "the accounts of blob {} ({}) were wrong: {} live bytes, not {}",
                number,
                blob.get().name(),
                live,
                before);
        replace(number, blob.get(), blob.get().withLive(live));
        counters.liveBytes += live - before;
        if (before == 0) {
            live(number);
        } else if (live == 0) {
            die(number);
        }
        return true;
    }

    /** Puts a row in the place of another one of the blob. What live files need of its framing counts as live, too. */
    void replace(long number, BlobRow before, BlobRow after) {
        counters.liveBytes += after.liveFraming() - before.liveFraming();
        putBlob(number, after);
    }

    void putBlob(long number, BlobRow blob) {
        writes.put(Keys.numbered(Keys.BLOB, number), blob.encode());
    }

    private long total(long number, BlobRow before, long change) {
        long live = before.live() + change;
        if (live >= 0) {
            return live;
        }
        accountErrors.incrementAndGet();
        LOG.error(
                "the accounts of blob {} ({}) are wrong: {} bytes were live, {} more are gone. Nothing is lost: it is"
                        + " collected only when its footer agrees, and counted anew then.",
                number,
                before.name(),
                before.live(),
                -change);
        // The total stays the sum of the rows.
        counters.liveBytes -= live;
        return 0;
    }

    @Override
    public void accept() {
        forget();
    }

    @Override
    public void reject() {
        forget();
    }

    @Override
    public void written() {
        forget();
    }

    @Override
    public void abandon() {
        forget();
    }
}
