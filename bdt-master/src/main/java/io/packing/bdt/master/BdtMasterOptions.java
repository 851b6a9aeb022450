// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import io.packing.bdt.master.cloud.LeaseOptions;
import io.packing.bdt.master.tokens.TokenOptions;
import io.packing.bdt.master.usergroups.UserGroups;
import io.packing.options.Option;
import io.packing.options.Options;
import io.packing.options.Parsers;
import io.packing.options.PriceTable;
import io.packing.sorted.SortedStoreOptions;
import io.packing.spans.SpanOptions;
import io.packing.transport.SecurityOptions;
import io.packing.transport.SpanOptionKeys;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The configuration of a BDT master.
 *
 * @param dataDir holds the tables and logs of its mounts; one master per directory
 * @param bindHost the address to listen on
 * @param port of the gRPC server; 0 chooses one
 * @param metricsPort of {@code /metrics} and {@code /healthz}; 0 chooses one, -1 serves none
 * @param engine of the tables
 * @param cacheBytes block cache of each mount's table
 * @param minFreeDiskBytes mutations that would leave less are refused
 * @param stores that mounts may name
 * @param lease how mounts are held against other masters
 * @param access who may call
 * @param stopTimeout for how long a stop waits for the stores of all mounts together
 * @param prices of the stores; empty: what requests cost is not told
 * @param spans where spans of calls go that clients sample
 */
public record BdtMasterOptions(
        Path dataDir,
        String bindHost,
        int port,
        int metricsPort,
        SortedStoreOptions.Engine engine,
        long cacheBytes,
        long minFreeDiskBytes,
        AllowedStores stores,
        LeaseOptions lease,
        AccessOptions access,
        Duration stopTimeout,
        Optional<PriceTable> prices,
        SpanOptions spans,
        Federation groups) {
    private static final Duration STOP_TIME = Duration.ofSeconds(30);

    public static final Option<Path> DATA_DIR =
            new Option<>("bdt.data.dir", "bdt-data", "Directory of the tables and logs.", Path::of);
    public static final Option<String> BIND_HOST =
            new Option<>("bdt.bind.host", "127.0.0.1", "Address to listen on.", Parsers::text);
    public static final Option<Integer> PORT =
            new Option<>("bdt.port", "19990", "Port of the gRPC server; 0 chooses one.", Parsers.count(0, 65_535));
    public static final Option<Integer> METRICS_PORT = new Option<>(
            "bdt.metrics.port",
            "-1",
            "Port of /metrics and /healthz; 0 chooses one, -1: none.",
            Parsers.count(-1, 65_535));
    public static final Option<SortedStoreOptions.Engine> ENGINE = new Option<>(
            "bdt.engine", "leveldb", "Engine of the tables.", Parsers.choice(SortedStoreOptions.Engine.class));
    public static final Option<Long> CACHE = new Option<>(
            "bdt.cache.bytes", "64MB", "Block cache of each mount's table.", Parsers.bytesBetween(1 << 20, 1L << 40));
    public static final Option<Long> MIN_FREE_DISK = new Option<>(
            "bdt.min.free.disk.bytes",
            "256MB",
            "Mutations that would leave less free disk are refused. 256MB with leveldb, 128MB with rocksdb are "
                    + "kept free in any case.",
            Parsers::bytes);
    public static final Option<AllowedStores> STORES = new Option<>(
            "bdt.stores",
            "",
            "Stores that mounts may name, with commas between them: s3://bucket/prefix for AWS,"
                    + " s3://bucket/prefix@https://host:9000 for another S3 server, gs://bucket/prefix, abfs://container@account/prefix, or file:///dir. All others are"
                    + " refused.",
            AllowedStores::parse);
    public static final Option<Duration> LEASE = new Option<>(
            "bdt.lease",
            "45s",
            "The time for which another master waits for a silent one before it takes its mounts over. The holder "
                    + "looks with three GETs after two thirds of it whether one waits, and renews it with a PUT then.",
            text -> lease(text, LeaseOptions.SHORTEST));
    public static final Option<Boolean> TAKE_OVER = new Option<>(
            "bdt.take.over",
            "false",
            "Whether the masters that held the mounts before are gone: no lease of theirs is waited for.",
            Parsers::flag);
    public static final Option<Duration> WORKER_LEASE = new Option<>(
            "bdt.worker.lease",
            "10s",
            "The time for which a silent worker counts as alive: another process with its id, but without its "
                    + "buffer directory, waits so long.",
            text -> lease(text, LeaseOptions.SHORTEST_OF_WORKERS));
    public static final Option<Duration> STOP_TIMEOUT = new Option<>(
            "bdt.stop.timeout",
            "30s",
            "The longest wait of a stop for the last backups of all mounts; the next start goes on with the local "
                    + "tables.",
            Parsers::duration);
    public static final Option<String> ADDRESS = new Option<>(
            "bdt.address",
            "",
            "The address under which messages of other masters name this one; empty means where it listens.",
            Parsers::text);
    public static final Option<Optional<PriceTable>> PRICES = new Option<>(
            "bdt.prices",
            "",
            "A file of conf/prices with what the stores charge, for the metric bdt_store_dollars_total and for"
                    + " compactions; empty: the metric is not served, and compactions take the prices of the store's kind.",
            BdtMasterOptions::prices);

    public static final Option<Duration> TOKEN_LIFE = new Option<>(
            "bdt.token.life", "168h", "How long a token can be valid, however often it is renewed.", Parsers::duration);
    public static final Option<Duration> TOKEN_RENEWAL = new Option<>(
            "bdt.token.renewal",
            "24h",
            "How long a token is valid without being renewed; also, how long one key signs tokens.",
            Parsers::duration);

    public static final Option<Boolean> PERMISSIONS = new Option<>(
            "bdt.permissions",
            "true",
            "Whether owner, group and mode of files and directories are checked; without TLS they are not.",
            Parsers::flag);
    public static final Option<Supplier<UserGroups>> GROUPS = new Option<>(
            "bdt.groups",
            "unix",
            "The groups of users: unix, of this machine's accounts, or a file in the format of /etc/group, read "
                    + "again when it changes.",
            PermissionOptions::groups);
    public static final Option<String> SUPERGROUP = new Option<>(
            "bdt.supergroup",
            "supergroup",
            "Group whose members may do everything to files, as superusers do; empty: none.",
            Parsers::text);

    public static final Option<Boolean> WORKERS_BY_NAME = new Option<>(
            "bdt.workers.by.name",
            "false",
            "Whether a worker's id has to be the CN of its certificate.",
            Parsers::flag);

    public static final Option<PermissionOptions.Places> PLACES = new Option<>(
            "bdt.places",
            "all",
            "The callers to whom the master names places in blobs: all who may read the file; or daemons and "
                    + "superusers only, so that others read through workers (needs TLS).",
            Parsers.choice(PermissionOptions.Places.class));

    public static final Option<Boolean> AUDIT = new Option<>(
            "bdt.audit",
            "false",
            "Whether the logger packing.audit has a line for each request, in the format of HDFS's audit log.",
            Parsers::flag);

    /** All of them, in the order of the reference table. */
    public static final List<Option<?>> OPTIONS = Stream.concat(
                    Stream.<Option<?>>of(
                            DATA_DIR,
                            STORES,
                            BIND_HOST,
                            PORT,
                            ADDRESS,
                            METRICS_PORT,
                            LEASE,
                            TAKE_OVER,
                            WORKER_LEASE,
                            STOP_TIMEOUT,
                            PRICES,
                            ENGINE,
                            CACHE,
                            MIN_FREE_DISK,
                            TOKEN_LIFE,
                            TOKEN_RENEWAL,
                            PERMISSIONS,
                            GROUPS,
                            SUPERGROUP,
                            WORKERS_BY_NAME,
                            PLACES,
                            AUDIT),
                    Stream.of(
                                    StoreAccess.OPTIONS,
                                    KerberosOptions.OPTIONS,
                                    RateOptions.OPTIONS,
                                    KeystoreOptions.OPTIONS,
                                    MasterGroupOptions.OPTIONS,
                                    Federation.OPTIONS,
                                    SecurityOptions.OF_MASTERS.ofServers(),
                                    SpanOptionKeys.OF_MASTERS.ofServers())
                            .flatMap(List::stream))
            .toList();

    /** The options that a running master reloads from its file; all others need a restart. */
    public static final List<Option<?>> TAKEN_RUNNING = List.of(
            STORES,
            STOP_TIMEOUT,
            PERMISSIONS,
            GROUPS,
            SUPERGROUP,
            WORKERS_BY_NAME,
            PLACES,
            RateOptions.RATE,
            RateOptions.BURST);

    /** A table's memory: what LevelDB collects before it writes a table file; the log keeps at least as much. */
    static final int WRITE_BUFFER_BYTES = 16 << 20;

    public BdtMasterOptions {
        if (stopTimeout.isNegative()) {
            throw new IllegalArgumentException("a stop that takes %s".formatted(stopTimeout));
        }
        if (access.permissions().places() == PermissionOptions.Places.DAEMONS
                && access.security().tls().isEmpty()) {
            throw new IllegalArgumentException(
                    "option %s: daemons needs TLS, without which the master does not know who calls: set bdt.tls.trust, bdt.tls.certificate and bdt.tls.key, or leave %s at all"
                            .formatted(PLACES.key(), PLACES.key()));
        }
        if (port < 0 || port > 65_535 || metricsPort < -1 || metricsPort > 65_535) {
            throw new IllegalArgumentException("bad ports %d, %d".formatted(port, metricsPort));
        }
    }

    /** A master that may use no store but those that it is given in process. */
    public BdtMasterOptions(
            Path dataDir,
            String bindHost,
            int port,
            int metricsPort,
            SortedStoreOptions.Engine engine,
            long cacheBytes,
            long minFreeDiskBytes) {
        this(
                dataDir,
                bindHost,
                port,
                metricsPort,
                engine,
                cacheBytes,
                minFreeDiskBytes,
                AllowedStores.NONE,
                LeaseOptions.USUAL,
                AccessOptions.OPEN,
                STOP_TIME,
                Optional.empty(),
                SpanOptions.OFF,
                Federation.NONE);
    }

    /** Returns a copy by which the operator declares earlier masters gone. */
    public BdtMasterOptions takingOver() {
        return leasing(new LeaseOptions(lease.length(), true, lease.workers(), lease.address()));
    }

    /** Returns a copy with another stop timeout. */
    public BdtMasterOptions stoppingIn(Duration other) {
        return with(stores, lease, access, other, groups);
    }

    /** Returns a copy with other lease terms. */
    public BdtMasterOptions leasing(LeaseOptions other) {
        return with(stores, other, access, stopTimeout, groups);
    }

    /** Returns a copy with other terms of access. */
    public BdtMasterOptions accessible(AccessOptions other) {
        return with(stores, lease, other, stopTimeout, groups);
    }

    /** Returns a copy that allows these stores. */
    public BdtMasterOptions allowing(AllowedStores other) {
        return with(other, lease, access, stopTimeout, groups);
    }

    /** Returns a copy for a group that has some of the mounts. */
    public BdtMasterOptions spreadOver(Federation other) {
        return with(stores, lease, access, stopTimeout, other);
    }

    /** Returns a copy with prices of the stores. */
    public BdtMasterOptions pricing(PriceTable other) {
        return new BdtMasterOptions(
                dataDir,
                bindHost,
                port,
                metricsPort,
                engine,
                cacheBytes,
                minFreeDiskBytes,
                stores,
                lease,
                access,
                stopTimeout,
                Optional.of(other),
                spans,
                groups);
    }

    private BdtMasterOptions with(
            AllowedStores otherStores,
            LeaseOptions otherLease,
            AccessOptions otherAccess,
            Duration otherTimeout,
            Federation otherGroups) {
        return new BdtMasterOptions(
                dataDir,
                bindHost,
                port,
                metricsPort,
                engine,
                cacheBytes,
                minFreeDiskBytes,
                otherStores,
                otherLease,
                otherAccess,
                otherTimeout,
                prices,
                spans,
                otherGroups);
    }

    /**
     * Reads the keys that start with {@code bdt.}.
     *
     * @throws IllegalArgumentException naming the unknown key or malformed value and what would be valid
     */
    public static BdtMasterOptions from(Map<String, String> raw) {
        Options options = Options.check(raw, "bdt.", OPTIONS);
        return new BdtMasterOptions(
                options.get(DATA_DIR),
                options.get(BIND_HOST),
                options.get(PORT),
                options.get(METRICS_PORT),
                options.get(ENGINE),
                options.get(CACHE),
                options.get(MIN_FREE_DISK),
                options.get(STORES),
                new LeaseOptions(
                        options.get(LEASE), options.get(TAKE_OVER), options.get(WORKER_LEASE), options.get(ADDRESS)),
                new AccessOptions(
                        SecurityOptions.OF_MASTERS.from(options),
                        new TokenOptions(options.get(TOKEN_LIFE), options.get(TOKEN_RENEWAL)),
                        new PermissionOptions(
                                options.get(PERMISSIONS),
                                options.get(GROUPS),
                                options.get(SUPERGROUP),
                                options.get(WORKERS_BY_NAME),
                                options.get(PLACES)),
                        options.get(AUDIT),
                        StoreAccess.from(options),
                        KeystoreOptions.from(options),
                        KerberosOptions.from(options),
                        RateOptions.from(options)),
                options.get(STOP_TIMEOUT),
                options.get(PRICES),
                SpanOptionKeys.OF_MASTERS.ofServer(options),
                Federation.from(options));
    }

    private static Optional<PriceTable> prices(String file) {
        if (file.isBlank()) {
            return Optional.empty();
        }
        try {
            return Optional.of(PriceTable.read(Path.of(file)));
        } catch (IOException e) {
            throw new IllegalArgumentException("expected a file of conf/prices: " + e, e);
        }
    }

    private static Duration lease(String text, Duration shortest) {
        Duration length = Parsers.duration(text);
        if (length.compareTo(shortest) < 0 || length.compareTo(LeaseOptions.LONGEST) > 0) {
            throw new IllegalArgumentException("expected a duration from %ds to 1h".formatted(shortest.toSeconds()));
        }
        return length;
    }

    /** Returns the configuration of the tables' stores. */
    public SortedStoreOptions store() {
        return new SortedStoreOptions(engine, cacheBytes, WRITE_BUFFER_BYTES, minFreeDiskBytes);
    }
}
