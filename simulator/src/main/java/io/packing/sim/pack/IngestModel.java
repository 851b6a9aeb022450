// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.pack;

import io.packing.blob.BlobFill;
import io.packing.blob.SealPolicy;
import io.packing.options.PriceTable;

/**
 * A closed form of an ingest, for files that arrive at a constant rate. The time to compute it does not depend on the
 * number of files. Its count of blobs is exact to one per worker, and its number of backups to one. Arrivals in bursts
 * seal more blobs by age than a constant rate does: at most one per burst and worker.
 */
public final class IngestModel {
    private final PriceTable prices;

    public IngestModel(PriceTable prices) {
        this.prices = prices;
    }

    /**
     * Computes one object per file, as fast as the store admits PUTs (§2.4). A client that adapts its rate sends no
     * other requests.
     */
    public IngestCost direct(FileWorkload workload) {
        double rate = Math.min(workload.filesPerSecond(), prices.putsPerSecond());
        double bytes = workload.bytes();
        return new IngestCost(
                workload.files() / rate,
                workload.files(),
                0,
                workload.files(),
                bytes,
                workload.sizeBytes(),
                prices.requests((double) workload.files(), 0, 0, 0),
                prices.upload(bytes),
                prices.storage(bytes));
    }

    /** Computes blobs sealed by size and by age, and the table's backups (§4, §5.1). */
    public IngestCost packed(FileWorkload workload, PackingSetup setup, BlobLayout layout) {
        double perFile = layout.stored(workload.sizeBytes());
        double workerRate = Math.min(
                workload.filesPerSecond() / setup.workers(),
                Math.min(setup.workerFilesPerSecond(), setup.workerBytesPerSecond() / perFile));
        double filesPerWorker = Math.ceil((double) workload.files() / setup.workers());
        // Files arrive until the blob is full or its first file is old enough; a blob has at least that first file.
        double byAge = Math.max(1, Math.floor(workerRate * setup.sealAfter().toNanos() / 1e9));
        double bySize = filesUntilFull((double) workload.sizeBytes(), perFile, setup.blobMaxBytes());
        double filesPerBlob = Math.min(Math.min(byAge, bySize), filesPerWorker);
        double blobs = setup.workers() * Math.ceil(filesPerWorker / filesPerBlob);
        double blobBytes = filesPerBlob * perFile + layout.fixed();
        double blobPuts = blobs * puts(blobBytes, setup);

        double ingestSeconds = filesPerWorker / workerRate;
        // A blob waits at most until the last file has come.
        double last = Math.min(
                Math.min(filesPerBlob / workerRate, setup.sealAfter().toNanos() / 1e9),
                Math.max(SealPolicy.QUIET.toNanos() / 1e9, 1 / workerRate));
        double seconds = Math.max(ingestSeconds, blobPuts / prices.putsPerSecond())
                + (byAge < bySize ? last : 0)
                + lastPush(filesPerWorker, filesPerBlob, blobBytes, filesPerBlob / workerRate, byAge >= bySize, setup);
        BackupCost backups = backups(workload, setup, seconds);
        double puts = blobPuts + backups.puts();
        double stored = workload.files() * perFile + blobs * layout.fixed() + 2 * backups.lastBytes();
        return new IngestCost(
                seconds,
                puts,
                backups.puts(),
                blobs + 2,
                stored,
                blobBytes,
                prices.requests(puts, 0, 0, 0),
                prices.upload(workload.files() * perFile + backups.bytes()),
                prices.storage(stored));
    }

    /**
     * Computes the time from the last file to its blob's PUT. A full blob was sent while it filled; the push of one that
     * ends early is cut, and made anew.
     */
    private static double lastPush(
            double files,
            double filesPerBlob,
            double blobBytes,
            double fillSeconds,
            boolean fills,
            PackingSetup setup) {
        double whole = blobBytes / setup.workerBytesPerSecond();
        double inLast = files - filesPerBlob * (Math.ceil(files / filesPerBlob) - 1);
        boolean ahead = fills
                && fillSeconds <= setup.pushAhead().toNanos() / 1e9
                && inLast >= filesPerBlob * (1 - PackingSetup.BEGUN)
                && blobBytes <= setup.putMaxBytes();
        return ahead ? Math.max(0, whole - fillSeconds * (1 - PackingSetup.BEGUN)) : whole;
    }

    /** Counts files as {@link BlobFill} does. */
    private static double filesUntilFull(double bytes, double stored, long most) {
        double files = Math.max(1, Math.floor(most / stored));
        while (!BlobFill.isFull(files * bytes, files * stored, most)) {
            files++;
        }
        return files;
    }

    private record BackupCost(double puts, double bytes, double lastBytes) {}

    /** Computes whole tables, as often as the options allow, and one at the end. */
    private static BackupCost backups(FileWorkload workload, PackingSetup setup, double seconds) {
        double interval = Math.max(1e-9, setup.backupInterval().toNanos() / 1e9);
        double byTime = Math.floor(seconds / interval);
        double byChanges = Math.floor((double) workload.files() / setup.backupMinFiles());
        double count = Math.min(byTime, byChanges);
        double last = workload.files() * setup.tableBytesPerFile();
        // The k-th of n backups holds k/(n+1) of the files.
        double average = count == 0 ? 0 : last / 2;
        return new BackupCost(count * puts(average, setup) + puts(last, setup), count * average + last, last);
    }

    private static double puts(double bytes, PackingSetup setup) {
        double parts = Math.ceil(Math.max(1, bytes) / setup.putMaxBytes());
        // A multipart upload needs a start and a completion, too.
        return parts == 1 ? 1 : parts + 2;
    }
}
