package io.packing.worker.api;

import io.packing.bdt.BdtOptions;
import io.packing.bdt.DedupMode;
import io.packing.bdt.Durability;
import io.packing.bdt.SharedMountOptions;
import io.packing.blob.Extent;
import io.packing.blob.ExtentCodec;
import io.packing.blob.SealPolicy;
import io.packing.options.Option;
import io.packing.options.Options;
import io.packing.options.Parsers;
import io.packing.sorted.SortedStoreOptions;
import io.packing.spans.SpanOptions;
import io.packing.store.StoreOptions;
import io.packing.transport.Security;
import io.packing.transport.SecurityOptions;
import io.packing.transport.SpanOptionKeys;
import io.packing.worker.policy.PolicyName;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * All options of a mount.
 *
 * @param raw all options as given, for the master
 * @param store of the blobs
 * @param masterTimeout the longest time for which a client retries an unreachable master
 * @param workerTimeout the longest time for which a client waits for a worker that takes its files
 * @param readPeerTimeout the longest time for which a read waits for the worker that buffers the file
 * @param flushTimeout the longest time for which a flush goes on while its worker fails to push
 * @param blobMaxBytes size at which a blob is sealed
 * @param push terms by which pushes begin before a blob is full
 * @param seal terms by which a blob that is not full is sealed
 * @param uploadGather the time for which closers that wait for an upload wait for company
 * @param threads blobs packed and pushed at once
 * @param policy chooses which files share a blob
 * @param durability the failures that a closed file survives
 * @param bufferDirectory empty: the worker's own
 * @param bufferMaxBytes buffered bytes at which creators wait
 * @param engine of the buffer's index
 * @param values the place of small files in the buffer
 * @param spillBytes memory per open output; larger files go into blobs of their own
 * @param compression of extents
 * @param dedup decides if small files share bytes that the mount has already
 * @param encryption of blobs
 * @param readCacheBytes memory for fetched windows
 * @param readDiskBytes disk for fetched pages; 0: none
 * @param readDiskDirectory of these pages
 * @param readThrough the way of a client to the bytes in blobs
 * @param readWindowMaxBytes most bytes fetched with one request
 * @param security of connections to the master and to workers, and of the worker's own server
 * @param metricsPort of the worker's metrics; 0: none
 * @param spans the collector of the spans of its calls
 */
public record MountOptions(
        Map<String, String> raw,
        StoreOptions store,
        Duration masterTimeout,
        Duration workerTimeout,
        Duration readPeerTimeout,
        Duration flushTimeout,
        long blobMaxBytes,
        PushOptions push,
        SealPolicy.SealOptions seal,
        Duration uploadGather,
        int threads,
        PolicyName policy,
        Durability durability,
        String bufferDirectory,
        long bufferMaxBytes,
        SortedStoreOptions.Engine engine,
        BufferValues values,
        int spillBytes,
        Compression compression,
        DedupMode dedup,
        EncryptionOptions encryption,
        long readCacheBytes,
        long readDiskBytes,
        String readDiskDirectory,
        ReadPath readThrough,
        int readWindowMaxBytes,
        Security security,
        int metricsPort,
        SpanOptions spans) {
    public static final Option<Duration> WORKER_TIMEOUT = new Option<>(
            "packing.worker.timeout",
            "10s",
            "The longest wait of a client for a worker. Creates after a vain wait fail at once for a minute, "
                    + "unless a worker comes.",
            Parsers::duration);

    public static final Option<Long> BLOB_MAX_BYTES = new Option<>(
            "packing.blob.max.bytes",
            "1GB",
            "Size at which a blob is sealed.",
            Parsers.bytesBetween(64L << 10, 4L << 30));

    public static final Option<Duration> SEAL_AFTER = new Option<>(
            "packing.seal.after",
            "15m",
            "The age at which a buffered file is sealed and pushed; sooner when the blob is full, when no other "
                    + "file came for packing.seal.quiet, or when packing.seal.budget allows it.",
            Parsers::duration);

    public static final Option<Duration> SEAL_QUIET = new Option<>(
            "packing.seal.quiet",
            "5s",
            "The least time without another file after which a worker seals. It grows, up to packing.seal.after, "
                    + "when files come after all. 0s: a pause never seals.",
            Parsers::duration);

    public static final Option<Double> SEAL_BUDGET = new Option<>(
            "packing.seal.budget",
            "0",
            "Dollars a day that a worker may spend on PUTs so that files wait less than packing.seal.after; 0: none.",
            Parsers::amount);

    public static final Option<Double> SEAL_PUT_PRICE = new Option<>(
            "packing.seal.put.price",
            "0.000005",
            "The backing store's price of a PUT in dollars, for packing.seal.budget.",
            Parsers::price);

    public static final Option<Duration> UPLOAD_GATHER = new Option<>(
            "packing.upload.gather",
            "500ms",
            "With packing.durability=uploaded: the longest wait of a closed file for others; a fiftieth when no "
                    + "other comes.",
            Parsers::duration);

    public static final Option<Integer> THREADS =
            new Option<>("packing.threads", "16", "Blobs packed and pushed at the same time.", Parsers.count(1, 1_024));

    public static final Option<PolicyName> POLICY = new Option<>(
            "packing.policy",
            "fifo",
            "Files that share a blob: fifo (arrival order, no second copy), directory (of a directory, by name) or "
                    + "size (small ones).",
            Parsers.choice(PolicyName.class));

    public static final Option<String> BUFFER_DIR = new Option<>(
            "packing.buffer.dir", "", "Directory of the buffer; empty means the worker's own.", Parsers::text);

    public static final Option<Long> BUFFER_MAX_BYTES = new Option<>(
            "packing.buffer.max.bytes",
            "8GB",
            "Buffered bytes at which creators wait for pushes.",
            Parsers.bytesBetween(8L << 20, 1L << 50));

    public static final Option<SortedStoreOptions.Engine> ENGINE = new Option<>(
            "packing.buffer.engine",
            "leveldb",
            "Store of the buffer's index: leveldb or rocksdb.",
            Parsers.choice(SortedStoreOptions.Engine.class));

    public static final Option<BufferValues> VALUES = new Option<>(
            "packing.buffer.values",
            "segment",
            "The place of small files in the buffer: segment (files that become blobs without a second copy) or "
                    + "store (the buffer's engine, as in the paper).",
            Parsers.choice(BufferValues.class));

    public static final Option<Long> SPILL_BYTES = new Option<>(
            "packing.spill.bytes",
            "4MB",
            "Memory per open output; larger files are written as slices into blobs of their own.",
            Parsers.bytesBetween(1, Extent.MAX_LENGTH));

    public static final Option<Compression> COMPRESSION = new Option<>(
            "packing.compression",
            "none",
            "none; deflate: each file by itself, when a client writes it; zstd: by Zstandard, when a worker makes "
                    + "a blob, with a dictionary where it pays.",
            Parsers.choice(Compression.class));

    public static final Option<DedupMode> DEDUP = BdtOptions.DEDUP;

    public static final Option<Long> READ_CACHE_BYTES = new Option<>(
            "packing.read.cache.bytes",
            "128MB",
            "Memory for pages of blobs.",
            Parsers.bytesBetween(1L << 20, 1L << 40));

    public static final Option<Long> READ_DISK_BYTES = new Option<>(
            "packing.read.disk.bytes",
            "0",
            "Disk for pages of blobs, beside the memory and over restarts. 0: none; otherwise at least 16MB.",
            Parsers.bytesBetween(0, 1L << 50));

    public static final Option<String> READ_DISK_DIR = new Option<>(
            "packing.read.disk.dir",
            "",
            "Directory of these pages, for this process alone; needed with packing.read.disk.bytes.",
            Parsers::text);

    public static final Option<ReadPath> READ_THROUGH = new Option<>(
            "packing.read.through",
            "store",
            "The client's way to bytes in blobs: store; or workers, without credentials of the store, as with "
                    + "bdt.places=daemons.",
            Parsers.choice(ReadPath.class));

    public static final Option<Long> READ_WINDOW_MAX_BYTES = new Option<>(
            "packing.read.window.max.bytes",
            "8MB",
            "The most bytes that a read ahead fetches with one request.",
            Parsers.bytesBetween(256L << 10, 256L << 20));

    public static final Option<Duration> READ_PEER_TIMEOUT = new Option<>(
            "packing.read.peer.timeout",
            "10s",
            "The longest wait of a read for a worker's answer, and of a flush for each worker's.",
            Parsers::duration);

    public static final Option<Duration> FLUSH_TIMEOUT = new Option<>(
            "packing.flush.timeout",
            "60s",
            "The time after which a flush fails, with the reason, while the worker fails to push; files stay "
                    + "buffered.",
            Parsers::duration);

    public static final Option<Integer> METRICS_PORT = new Option<>(
            "packing.metrics.port",
            "0",
            "Port at which a worker serves the metrics of all its mounts to Prometheus; 0: none.",
            Parsers.count(0, 65_535));

    /** All options of a mount, in the order of the reference table. */
    public static final List<Option<?>> OPTIONS = Stream.of(
                    StoreOptions.OPTIONS.stream(),
                    BdtOptions.OPTIONS.stream(),
                    Stream.<Option<?>>of(
                            WORKER_TIMEOUT,
                            BLOB_MAX_BYTES,
                            PushOptions.IDLE_BYTES,
                            PushOptions.AHEAD,
                            SEAL_AFTER,
                            SEAL_QUIET,
                            SEAL_BUDGET,
                            SEAL_PUT_PRICE,
                            UPLOAD_GATHER,
                            THREADS,
                            POLICY,
                            BUFFER_DIR,
                            BUFFER_MAX_BYTES,
                            ENGINE,
                            VALUES,
                            SPILL_BYTES,
                            COMPRESSION,
                            DEDUP,
                            READ_CACHE_BYTES,
                            READ_DISK_BYTES,
                            READ_DISK_DIR,
                            READ_THROUGH,
                            READ_WINDOW_MAX_BYTES,
                            READ_PEER_TIMEOUT,
                            FLUSH_TIMEOUT,
                            METRICS_PORT),
                    EncryptionOptions.OPTIONS.stream(),
                    SecurityOptions.OF_MOUNTS.ofClients().stream(),
                    SpanOptionKeys.OF_MOUNTS.ofMounts().stream())
            .<Option<?>>flatMap(options -> options)
            .toList();

    /** The options that a running worker takes from its file; all others need a restart. */
    public static final List<Option<?>> TAKEN_RUNNING =
            List.of(SEAL_AFTER, SEAL_QUIET, SEAL_BUDGET, SEAL_PUT_PRICE, BUFFER_MAX_BYTES);

    public MountOptions {
        raw = Map.copyOf(raw);
        if (readWindowMaxBytes > readCacheBytes) {
            throw new IllegalArgumentException("option %s: %d bytes do not fit in %s, %d bytes"
                    .formatted(
                            READ_WINDOW_MAX_BYTES.key(), readWindowMaxBytes, READ_CACHE_BYTES.key(), readCacheBytes));
        }
        if (dedup != DedupMode.NONE && durability == Durability.UPLOADED) {
            // The store learns of a shared file with the master's next journal, which may come after the close.
            throw new IllegalArgumentException(
                    "option %s: file cannot be had with %s=uploaded; use synced, or share equal files later by 'packing dedup'"
                            .formatted(DEDUP.key(), BdtOptions.DURABILITY.key()));
        }
        ReadDisk.check(readDiskBytes, readDiskDirectory);
    }

    /** Returns these options with other credentials. */
    public MountOptions securedBy(Security other) {
        return with(durability, dedup, encryption, other);
    }

    /** Returns these options with the master's ({@link SharedMountOptions}) where these set none. */
    public MountOptions toldBy(Map<String, String> told) {
        SharedMountOptions mount = SharedMountOptions.of(told);
        Durability promised = raw.containsKey(BdtOptions.DURABILITY.key()) ? durability : mount.durability();
        DedupMode shared = raw.containsKey(DEDUP.key()) ? dedup : mount.dedup();
        // A client that asks for more durability than the mount has shares no bytes.
        return with(promised, promised == Durability.UPLOADED ? DedupMode.NONE : shared, encryption, security);
    }

    /** Returns these options with encryption of new blobs by this key, which their keystore has. */
    public MountOptions encryptedBy(String key) {
        return with(
                durability,
                dedup,
                new EncryptionOptions(key, encryption.keystore(), encryption.passwordFile()),
                security);
    }

    private MountOptions with(Durability promised, DedupMode shared, EncryptionOptions encrypted, Security shown) {
        return new MountOptions(
                raw,
                store,
                masterTimeout,
                workerTimeout,
                readPeerTimeout,
                flushTimeout,
                blobMaxBytes,
                push,
                seal,
                uploadGather,
                threads,
                policy,
                promised,
                bufferDirectory,
                bufferMaxBytes,
                engine,
                values,
                spillBytes,
                compression,
                shared,
                encrypted,
                readCacheBytes,
                readDiskBytes,
                readDiskDirectory,
                readThrough,
                readWindowMaxBytes,
                shown,
                metricsPort,
                spans);
    }

    /** Returns the name by which workers and clients call the mount; the location of its store gives it. */
    public String mountName() {
        byte[] location = store.location().text().getBytes(StandardCharsets.UTF_8);
        return "%08x-%d".formatted(ExtentCodec.crc32c(ByteBuffer.wrap(location)), location.length);
    }

    /**
     * Parses the options of a mount.
     *
     * @throws IllegalArgumentException naming the unknown or malformed key and a valid one
     */
    public static MountOptions from(Map<String, String> raw) {
        Options options = Options.check(raw, "packing.", OPTIONS);
        return new MountOptions(
                raw,
                StoreOptions.from(raw),
                options.get(BdtOptions.MASTER_TIMEOUT),
                options.get(WORKER_TIMEOUT),
                options.get(READ_PEER_TIMEOUT),
                options.get(FLUSH_TIMEOUT),
                options.get(BLOB_MAX_BYTES),
                PushOptions.from(options),
                new SealPolicy.SealOptions(
                        options.get(SEAL_AFTER),
                        options.get(SEAL_QUIET),
                        options.get(SEAL_BUDGET) / options.get(SEAL_PUT_PRICE)),
                options.get(UPLOAD_GATHER),
                options.get(THREADS),
                options.get(POLICY),
                options.get(BdtOptions.DURABILITY),
                options.get(BUFFER_DIR),
                options.get(BUFFER_MAX_BYTES),
                options.get(ENGINE),
                options.get(VALUES),
                options.get(SPILL_BYTES).intValue(),
                options.get(COMPRESSION),
                options.get(DEDUP),
                EncryptionOptions.from(options),
                options.get(READ_CACHE_BYTES),
                options.get(READ_DISK_BYTES),
                options.get(READ_DISK_DIR),
                options.get(READ_THROUGH),
                options.get(READ_WINDOW_MAX_BYTES).intValue(),
                SecurityOptions.OF_MOUNTS.from(options),
                options.get(METRICS_PORT),
                SpanOptionKeys.OF_MOUNTS.ofMount(options));
    }
}
