// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import io.packing.bdt.BdtOptions;
import io.packing.bdt.Durability;
import io.packing.bdt.master.cloud.ReadyMount;
import io.packing.bdt.master.log.BatchStore;
import io.packing.bdt.master.log.FileLog;
import io.packing.bdt.master.log.LocalBatchStore;
import io.packing.bdt.master.log.Replay;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.SharedOptionsRow;
import io.packing.bdt.master.table.row.StoreRows;
import io.packing.durable.DurableDirectory;
import io.packing.durable.DurableFile;
import io.packing.sorted.SortedStore;
import io.packing.sorted.WriteBatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The tables of a master that is alone: a store and a log for each mount, in its data directory. */
final class LocalTables implements MountTables {
    private static final long SEGMENT_BYTES = BdtMasterOptions.WRITE_BUFFER_BYTES;
    /** A row whose write makes all earlier writes durable. */
    private static final byte[] SYNCED = Keys.named(Keys.META, "synced");

    private final BdtMasterOptions config;
    private final Stores stores;
    private final DataDirectory data;
    /** Tables that other groups send. */
    private final Map<String, Received> received = new ConcurrentHashMap<>();

    private record Received(long token, SortedStore store) {}

    LocalTables(BdtMasterOptions config, Stores stores, DataDirectory data) {
        this.config = config;
        this.stores = stores;
        this.data = data;
    }

    @Override
    public String holder() {
        return data.instance();
    }

    @Override
    public boolean isShared() {
        return false;
    }

    @Override
    public Path folder(String mount) {
        return data.mount(mount);
    }

    @Override
    public void rename(String before, String mount) throws IOException {
        data.rename(before, mount);
    }

    @Override
    public Optional<ReadyMount> ready(String mount) throws IOException {
        return data.ready(mount);
    }

    @Override
    public SortedStore look(String mount) throws IOException {
        return stores.sorted(data.mount(mount).resolve("table"), config.store());
    }

    @Override
    public void recover(String mount, ReadyMount ready, Filling filling) throws IOException {
        data.setAside(mount);
        try (SortedStore fresh = look(mount)) {
            filling.fill(fresh);
        }
        hold(mount, ready);
    }

    @Override
    public void hold(String mount, ReadyMount ready) throws IOException {
        if (!data.ready(mount).equals(Optional.of(ready))) {
            data.ready(mount, ready);
        }
    }

    @Override
    public void receive(String mount, long token) throws IOException {
        drop(mount);
        Path folder = data.received(mount);
        data.clear(folder.getFileName().toString());
        DurableFile.write(folder, "token", token + "\n");
        received.put(mount, new Received(token, opened(mount)));
    }

    private void drop(String mount) throws IOException {
        Received before = received.remove(mount);
        if (before != null) {
            before.store.close();
        }
    }

    private SortedStore store(String mount, long token) {
        Received known = received.get(mount);
        if (known == null || known.token != token) {
            throw new IllegalArgumentException(
                    "mount %s: nothing is received with the number %d any more; begin the move again"
                            .formatted(mount, token));
        }
        return known.store;
    }

    @Override
    public void received(String mount, long token, WriteBatch rows) throws IOException {
        store(mount, token).write(rows, SortedStore.Sync.NONE);
    }

    @Override
    public void receivedAll(String mount, long token, boolean complete) throws IOException {
        store(mount, token).write(new WriteBatch().put(SYNCED, new byte[0]), SortedStore.Sync.FSYNC);
        if (!complete) {
            // An opening reads what the engine has in its log. It does so now, and not while changes wait.
            drop(mount);
            received.put(mount, new Received(token, opened(mount)));
        }
    }

    private SortedStore opened(String mount) throws IOException {
        Path table = DurableDirectory.create(data.received(mount).resolve("table"));
        return stores.sorted(table, config.store());
    }

    @Override
    public Optional<byte[]> ofReceived(String mount, long token, byte[] key) throws IOException {
        return store(mount, token).get(key);
    }

    @Override
    public Optional<Long> receiving(String mount) throws IOException {
        Path file = data.received(mount).resolve("token");
        return Files.exists(file)
                ? Optional.of(Long.parseLong(Files.readString(file).strip()))
                : Optional.empty();
    }

    @Override
    public void stopReceiving() throws IOException {
        for (String mount : received.keySet()) {
            drop(mount);
        }
    }

    @Override
    public void takeReceived(String mount, long token, ReadyMount ready) throws IOException {
        drop(mount);
        data.ready(data.received(mount).getFileName().toString(), ready);
        data.takeReceived(mount);
    }

    /** Returns whether answered mutations must survive a power loss, as the table's terms say. */
    private static boolean isSynced(SortedStore store, boolean otherwise) throws IOException {
        return SharedOptionsRow.find(new StoreRows(store))
                .map(terms -> terms.get(BdtOptions.DURABILITY) != Durability.BUFFERED)
                .orElse(otherwise);
    }

    @Override
    public BatchStore open(String mount, boolean synced) throws IOException {
        SortedStore store = look(mount);
        try {
            FileLog log = FileLog.open(data.mount(mount).resolve("log"), SEGMENT_BYTES, isSynced(store, synced));
            Replay.run(store, log);
            log.answerSynced(isSynced(store, synced));
            if (SharedOptionsRow.find(new StoreRows(store)).isPresent()) {
                // The next start reads them before the log, which it takes for damaged or not by them.
                store.write(new WriteBatch().put(SYNCED, new byte[0]), SortedStore.Sync.FSYNC);
            }
            return new LocalBatchStore(store, log);
        } catch (IOException | RuntimeException e) {
            store.close();
            throw e;
        }
    }
}
