// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import io.packing.bdt.Bdt;
import io.packing.bdt.master.cloud.LeaseOptions;
import io.packing.bdt.master.table.Clocks;
import io.packing.bdt.master.table.TreeStore;
import io.packing.seed.GivenClock;
import io.packing.sorted.SortedStore;
import io.packing.sorted.SortedStoreOptions;
import io.packing.store.InMemoryObjectStore;
import io.packing.store.ObjectInfo;
import io.packing.store.ObjectStore;
import io.packing.store.PutCondition;
import io.packing.store.StoreAddress;
import io.packing.store.StoreLocation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Masters on machines of their own, with clocks that a test moves, and object stores by their endpoints: an option of the
 * mount says to which endpoint it leads.
 */
final class TwoMasters implements Stores {
    static final String ENDPOINT = "packing.s3.endpoint";

    private final Map<Path, TreeStore> tables = new ConcurrentHashMap<>();
    /** Below these no table can be opened. */
    final Set<Path> brokenDisks = ConcurrentHashMap.newKeySet();

    final Map<String, InMemoryObjectStore> endpoints = new ConcurrentHashMap<>();
    /** The advance of every machine's monotonic clock. */
    final AtomicLong nanos = new AtomicLong(1);

    /** Options of the one mount, at an endpoint. */
    static Map<String, String> mount(String endpoint) {
        return new HashMap<>(Map.of("packing.store", "s3://bucket/p", ENDPOINT, "http://" + endpoint));
    }

    /** Starts a master whose clocks started earlier or later than the other masters'. */
    BdtMaster start(BdtMasterOptions config, long aheadSeconds) throws IOException {
        Clocks clocks = new Clocks(
                new GivenClock(() ->
                        Instant.ofEpochSecond(1_700_000_000 + aheadSeconds).plusNanos(nanos.get())),
                () -> nanos.get() + aheadSeconds * 1_000_000_000);
        return BdtMaster.start(config, MasterSite.of(config, this, clocks));
    }

    static BdtMasterOptions config(Path data) {
        return TestStores.config(data)
                .leasing(new LeaseOptions(
                        Duration.ofSeconds(45), false, Duration.ofSeconds(10), data.getFileName() + ":1"));
    }

    /** The tables of one directory, as they are now, for a copy of it. */
    void copyTables(Path from, Path to) {
        Map<Path, TreeStore> copies = new HashMap<>();
        tables.forEach((path, table) -> {
            if (path.startsWith(from)) {
                TreeStore copy = new TreeStore();
                copy.reset(table.copy());
                copies.put(to.resolve(from.relativize(path)), copy);
            }
        });
        tables.putAll(copies);
    }

    void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    InMemoryObjectStore at(String endpoint) {
        return endpoints.computeIfAbsent(endpoint, name -> new InMemoryObjectStore("s3://bucket/p"));
    }

    /** One endpoint's objects, byte for byte, at another one. */
    void copy(String from, String to) throws IOException {
        for (ObjectInfo object : at(from).list("", "", 1_000)) {
            ByteBuffer bytes = at(from).get(object.key(), 0, (int) object.length());
            at(to).put(object.key(), bytes, PutCondition.NONE);
        }
    }

    static Bdt open(BdtMaster master, String endpoint) throws IOException {
        return master.open(mount(endpoint));
    }

    @Override
    public SortedStore sorted(Path directory, SortedStoreOptions config) throws IOException {
        if (brokenDisks.stream().anyMatch(directory::startsWith)) {
            throw new IOException("the disk is broken");
        }
        if (!Files.exists(directory)) {
            Files.createDirectories(directory);
            tables.put(directory, new TreeStore());
        }
        return tables.computeIfAbsent(directory, path -> new TreeStore());
    }

    @Override
    public StoreAddress address(Map<String, String> options) {
        return new StoreAddress(new StoreLocation.Bucket("bucket", "p"), endpoint(options));
    }

    @Override
    public ObjectStore objects(Map<String, String> options) {
        return at(endpoint(options).substring("http://".length()));
    }

    private static String endpoint(Map<String, String> options) {
        return Objects.requireNonNull(options.get(ENDPOINT));
    }
}
