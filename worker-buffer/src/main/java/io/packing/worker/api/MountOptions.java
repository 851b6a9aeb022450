// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.api;

import io.packing.bdt.BdtOptions;
import io.packing.bdt.SharedMountOptions;
import io.packing.blob.ExtentCodec;
import io.packing.options.Option;
import io.packing.options.Options;
import io.packing.options.Parsers;
import io.packing.spans.SpanOptions;
import io.packing.store.StoreOptions;
import io.packing.transport.Security;
import io.packing.transport.SecurityOptions;
import io.packing.transport.SpanOptionKeys;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * All options of a mount.
 *
 * @param raw all options as given, for the master
 * @param store of the blobs
 * @param timeouts the longest waits of clients
 * @param pack terms by which a worker makes and pushes blobs
 * @param buffer the disk on which a worker keeps files until then
 * @param write terms by which files are written
 * @param read the way of reads to bytes in blobs
 * @param encryption of blobs
 * @param security of connections to the master and to workers, and of the worker's own server
 * @param metricsPort of the worker's metrics; 0: none
 * @param spans the collector of the spans of its calls
 * @param called the location of the store by which the mount is called; another one than {@code store} has after an evacuation
 */
public record MountOptions(
        Map<String, String> raw,
        StoreOptions store,
        TimeoutOptions timeouts,
        PackOptions pack,
        BufferOptions buffer,
        WriteOptions write,
        ReadOptions read,
        EncryptionOptions encryption,
        Security security,
        int metricsPort,
        SpanOptions spans,
        String called) {
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
                            TimeoutOptions.WORKER,
                            PackOptions.BLOB_MAX_BYTES,
                            PushOptions.IDLE_BYTES,
                            PushOptions.AHEAD,
                            PackOptions.SEAL_AFTER,
                            PackOptions.SEAL_QUIET,
                            PackOptions.SEAL_BUDGET,
                            PackOptions.SEAL_PUT_PRICE,
                            PackOptions.GATHER,
                            PackOptions.THREADS,
                            PackOptions.POLICY,
                            BufferOptions.DIRECTORY,
                            BufferOptions.MAX_BYTES,
                            BufferOptions.ENGINE,
                            BufferOptions.VALUES,
                            WriteOptions.SPILL_BYTES,
                            WriteOptions.COMPRESSION,
                            BdtOptions.DEDUP,
                            ReadOptions.CACHE_BYTES,
                            ReadOptions.DISK_BYTES,
                            ReadOptions.DISK_DIRECTORY,
                            ReadOptions.THROUGH,
                            ReadOptions.WINDOW_MAX_BYTES,
                            TimeoutOptions.READ_PEER,
                            TimeoutOptions.FLUSH,
                            METRICS_PORT),
                    EncryptionOptions.OPTIONS.stream(),
                    SecurityOptions.OF_MOUNTS.ofClients().stream(),
                    SpanOptionKeys.OF_MOUNTS.ofMounts().stream())
            .<Option<?>>flatMap(options -> options)
            .toList();

    /** The options that a running worker takes from its file; all others need a restart. */
    public static final List<Option<?>> TAKEN_RUNNING = List.of(
            PackOptions.SEAL_AFTER,
            PackOptions.SEAL_QUIET,
            PackOptions.SEAL_BUDGET,
            PackOptions.SEAL_PUT_PRICE,
            BufferOptions.MAX_BYTES);

    public MountOptions {
        raw = Map.copyOf(raw);
    }

    /** Returns these options with other credentials. */
    public MountOptions securedBy(Security other) {
        return with(write, encryption, other);
    }

    /** Returns these options with the master's ({@link SharedMountOptions}) where these set none. */
    public MountOptions toldBy(Map<String, String> told) {
        return with(write.toldBy(SharedMountOptions.of(told), raw), encryption, security);
    }

    /** Returns these options with encryption of new blobs by this key, which their keystore has. */
    public MountOptions encryptedBy(String key) {
        return with(write, new EncryptionOptions(key, encryption.keystore(), encryption.passwordFile()), security);
    }

    /** Returns these options of a mount that is called by the store that it had first. */
    public MountOptions calledAt(String location) {
        return new MountOptions(
                raw, store, timeouts, pack, buffer, write, read, encryption, security, metricsPort, spans, location);
    }

    private MountOptions with(WriteOptions written, EncryptionOptions encrypted, Security shown) {
        return new MountOptions(
                raw, store, timeouts, pack, buffer, written, read, encrypted, shown, metricsPort, spans, called);
    }

    /** Returns the name by which workers and clients call the mount; the location of its first store gives it. */
    public String mountName() {
        return nameOf(called);
    }

    /** Returns the name of a mount at workers by the location of its store. */
    public static String nameOf(String location) {
        byte[] text = location.getBytes(StandardCharsets.UTF_8);
        return "%08x-%d".formatted(ExtentCodec.crc32c(ByteBuffer.wrap(text)), text.length);
    }

    /**
     * Parses the options of a mount.
     *
     * @throws IllegalArgumentException naming the unknown or malformed key and a valid one
     */
    public static MountOptions from(Map<String, String> raw) {
        Options options = Options.check(raw, "packing.", OPTIONS);
        StoreOptions store = StoreOptions.from(raw);
        return new MountOptions(
                raw,
                store,
                TimeoutOptions.from(options),
                PackOptions.from(options),
                BufferOptions.from(options),
                WriteOptions.from(options),
                ReadOptions.from(options),
                EncryptionOptions.from(options),
                SecurityOptions.OF_MOUNTS.from(options),
                options.get(METRICS_PORT),
                SpanOptionKeys.OF_MOUNTS.ofMount(options),
                store.location().text());
    }
}
