package io.packing.bdt.master;

import io.packing.bdt.master.cloud.ReadyMount;
import io.packing.bdt.master.log.FileLog;
import io.packing.bdt.master.log.GroupStore;
import io.packing.bdt.master.log.LocalGroups;
import io.packing.bdt.master.log.MutationLog;
import io.packing.bdt.master.log.Replay;
import io.packing.sorted.SortedStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** The tables of a master that is alone: a store and a log for each mount, in its data directory. */
final class LocalTables implements MountTables {
    private static final long SEGMENT_BYTES = BdtMasterConfig.WRITE_BUFFER_BYTES;

    private final BdtMasterConfig config;
    private final Stores stores;
    private final DataDirectory data;

    LocalTables(BdtMasterConfig config, Stores stores, DataDirectory data) {
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
        data.clear(mount);
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
    public GroupStore open(String mount, boolean synced) throws IOException {
        SortedStore store = look(mount);
        try {
            MutationLog log = FileLog.open(data.mount(mount).resolve("log"), SEGMENT_BYTES, synced);
            Replay.run(store, log);
            return new LocalGroups(store, log);
        } catch (IOException | RuntimeException e) {
            store.close();
            throw e;
        }
    }
}
