// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.gc;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.packing.bdt.Bdt;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.NumberedExtent;
import io.packing.bdt.Placement;
import io.packing.bdt.ScanPart;
import io.packing.bdt.ScannedBlob;
import io.packing.bdt.ScannedFile;
import io.packing.blob.BlobName;
import io.packing.blob.BlobReader;
import io.packing.blob.CorruptBlobException;
import io.packing.blob.PackedFile;
import io.packing.encryption.Keystore;
import io.packing.operations.walk.BlobObject;
import io.packing.operations.walk.ScanPages;
import io.packing.store.ObjectNotFoundException;
import io.packing.store.ObjectStore;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;

/**
 * The plan of the next pass of collection. Blobs whose bytes files of the present need are only counted, unless so few of
 * their bytes are needed that compaction would copy these.
 *
 * @param go blobs that would be deleted
 * @param stay blobs that would not, although no file of the present needs them, or few of their bytes
 */
public record GcPlan(
        List<Verdict> go,
        List<Verdict> stay,
        @JsonProperty("live_blobs") long liveBlobs,
        @JsonProperty("live_blob_bytes") long liveBlobBytes) {
    /** The offset of a blob's body. */
    private static final int BODY_START = 16;

    /**
     * Makes a plan; memory: some 200 bytes a blob.
     *
     * @param keystore that is asked when blobs are encrypted
     * @param seen is told how many files were looked at since it was told before
     */
    public static GcPlan of(Bdt bdt, ObjectStore store, Keystore keystore, double compactBelow, LongConsumer seen)
            throws IOException {
        return new Planning(bdt, store, keystore, compactBelow, seen).plan();
    }

    @JsonProperty("go_bytes")
    public long goBytes() {
        return go.stream().mapToLong(Verdict::bytes).sum();
    }

    @JsonIgnore
    public boolean isNothing() {
        return go.isEmpty();
    }

    private static final class Planning {
        private final Bdt bdt;
        private final ObjectStore store;
        private final Keystore keystore;
        private final double compactBelow;
        private final LongConsumer seen;
        private final Map<Long, ScannedBlob> blobs = new LinkedHashMap<>();
        /** Bytes that files of the present need, by the number of the blob. */
        private final Map<Long, Long> present = new LinkedHashMap<>();

        Planning(Bdt bdt, ObjectStore store, Keystore keystore, double compactBelow, LongConsumer seen) {
            this.keystore = keystore;
            this.seen = seen;
            this.bdt = bdt;
            this.store = store;
            this.compactBelow = compactBelow;
        }

        GcPlan plan() throws IOException {
            ScanPages.visit(bdt, ScanPart.BLOBS, page -> page.blobs().forEach(each -> blobs.put(each.number(), each)));
            ScanPages.visit(bdt, ScanPart.FILES, page -> {
                page.files().forEach(this::count);
                seen.accept(page.files().size());
            });
            ScanPages.visit(bdt, ScanPart.CONTENTS, page -> page.files().forEach(this::count));
            List<Verdict> go = new ArrayList<>();
            List<Verdict> stay = new ArrayList<>();
            long live = 0;
            long liveBytes = 0;
            for (ScannedBlob blob : blobs.values()) {
                Optional<Verdict> verdict = blob.live() == 0 ? Optional.of(ofDead(blob)) : ofLive(blob);
                if (verdict.isEmpty()) {
                    live++;
                    liveBytes += blob.length();
                } else {
                    (verdict.get().goes() ? go : stay).add(verdict.get());
                }
            }
            return new GcPlan(go, stay, live, liveBytes);
        }

        private void count(ScannedFile file) {
            if (file.present()) {
                for (NumberedExtent each : file.extents()) {
                    present.merge(each.blob(), (long) each.extent().storedLength(), Long::sum);
                }
            }
        }

        private Optional<Verdict> ofLive(ScannedBlob blob) {
            long needed = present.getOrDefault(blob.number(), 0L);
            if (needed == 0) {
                return Optional.of(verdict(
                        blob,
                        "snapshot",
                        "%d bytes of it are seen by snapshots only; it goes when these are deleted"
                                .formatted(blob.live())));
            }
            double share = (double) blob.live() / Math.max(1, blob.name().footerOffset() - BODY_START);
            return share < compactBelow
                    ? Optional.of(verdict(
                            blob,
                            "sparse",
                            "%.0f %% of it is needed: compaction copies that when enough is won"
                                    .formatted(100 * share)))
                    : Optional.empty();
        }

        private Verdict ofDead(ScannedBlob blob) throws IOException {
            if (!blob.settled()) {
                return verdict(blob, "unreported", "no worker has reported all its files yet");
            }
            Duration left = blob.graceLeft().orElse(Duration.ZERO);
            if (!left.isZero()) {
                return verdict(
                        blob,
                        "grace",
                        "readers may have opened files of it: it is kept for another %d s at least"
                                .formatted(Math.max(1, left.toSeconds())));
            }
            Optional<String> wanted = wanted(blob);
            if (wanted.isPresent()) {
                return verdict(blob, "commit", wanted.get());
            }
            return verdict(
                    blob,
                    Verdict.DEAD,
                    blob.backedUp()
                            ? "no file needs it, and no backup names it"
                            : "no file needs it; the pass first makes backups that do not name it");
        }

        /** Why the footer keeps a blob; empty: it does not. */
        private Optional<String> wanted(ScannedBlob blob) throws IOException {
            BlobObject object =
                    new BlobObject(store, BlobName.FOLDER + blob.name().key(), blob.length());
            try {
                for (PackedFile file : BlobReader.open(object, blob.name().footerOffset(), keystore)
                        .footer()) {
                    Optional<LocatedFile> now = bdt.locate(file.version());
                    if (now.isPresent() && needs(now.get().placement(), blob)) {
                        return Optional.of("a commit of %s may be on its way".formatted(file.path()));
                    }
                }
                return Optional.empty();
            } catch (ObjectNotFoundException e) {
                return Optional.empty();
            } catch (CorruptBlobException e) {
                return Optional.of("its footer is damaged, so nobody knows what is in it: " + e.getMessage());
            }
        }

        private static boolean needs(Placement placement, ScannedBlob blob) {
            return !(placement instanceof Placement.Packed packed)
                    || packed.extents().stream()
                            .anyMatch(extent -> extent.blob().equals(blob.name()));
        }

        private static Verdict verdict(ScannedBlob blob, String reason, String detail) {
            long dead = Math.max(0, blob.name().footerOffset() - BODY_START - blob.live());
            return new Verdict(BlobName.FOLDER + blob.name().key(), blob.length(), dead, reason, detail);
        }
    }
}
