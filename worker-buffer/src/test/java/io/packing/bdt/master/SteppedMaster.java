// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import com.google.common.util.concurrent.MoreExecutors;
import io.packing.bdt.Bdt;
import io.packing.bdt.Bdts;
import io.packing.bdt.master.cloud.LeaseOptions;
import io.packing.bdt.master.cloud.MountLease;
import io.packing.bdt.master.cloud.RecoveryProgress;
import io.packing.bdt.master.cloud.TakeOvers;
import io.packing.bdt.master.log.MountWriter;
import io.packing.bdt.master.rpc.KnownMounts;
import io.packing.bdt.master.rpc.OpenCall;
import io.packing.bdt.master.table.Clocks;
import io.packing.bdt.master.table.change.Mutation;
import io.packing.bdt.master.table.change.TableWriter;
import io.packing.bdt.master.table.read.Permissions;
import io.packing.bdt.master.texts.MasterTexts;
import io.packing.bdt.master.upkeep.UpkeepPart;
import io.packing.options.PriceTable;
import io.packing.sorted.SortedStore;
import io.packing.sorted.SortedStoreOptions;
import io.packing.sorted.SortedStores;
import io.packing.spans.Spans;
import io.packing.store.ObjectStore;
import io.packing.transport.token.KeyRing;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;

/**
 * A BDT master of one mount, wired like every other one but without threads. A mutation is written by its caller, and
 * the test steps the lease and the upkeep. Confined to one thread.
 */
public final class SteppedMaster implements Bdts {
    private final DataDirectory data;
    private final MountOpener opener;
    private Optional<Mount> mount = Optional.empty();

    /** Creates a master for mounts of one store. */
    public SteppedMaster(Path folder, ObjectStore objects, Clocks clocks) throws IOException {
        // This replaces a random name, which other masters would see.
        Files.writeString(Files.createDirectories(folder).resolve("instance"), "stepped-master\n");
        this.data = DataDirectory.lock(folder);
        BdtMasterOptions config = new BdtMasterOptions(
                        folder, "127.0.0.1", 0, -1, SortedStoreOptions.Engine.LEVELDB, 1 << 20, 0)
                // Blobs of a test are small, and pay where requests cost nothing.
                .pricing(new PriceTable(0, 0, 0, 0, 1, 1, 0, 1));
        Stores stores = new OneStore(objects);
        MountTables tables = new LocalTables(config, stores, data);
        TakeOvers takeOvers = new TakeOvers(
                new TakeOvers.Owner(tables.holder(), false, data.starts().current(), data.starts()),
                LeaseOptions.USUAL,
                () -> "a test",
                clocks);
        KnownMounts known = new KnownMounts(MasterTexts.in(data.stores()), false);
        this.opener = new MountOpener(config, stores, tables, takeOvers, clocks, Spans.NONE, known);
    }

    private record OneStore(ObjectStore objects) implements Stores {
        @Override
        public SortedStore sorted(Path directory, SortedStoreOptions config) throws IOException {
            return SortedStores.open(directory, config);
        }

        @Override
        public ObjectStore objects(Map<String, String> options) {
            return objects;
        }
    }

    /** A drive without threads: each mutation is written before its caller waits for it. */
    private static final class Stepping implements MountDrive {
        @Override
        public void keep(MountLease lease) {
            // The test renews the lease.
        }

        @Override
        public ExecutorService answers(String mount) {
            return MoreExecutors.newDirectExecutorService();
        }

        @Override
        public TableWriter mutations(MountWriter writer) {
            return new TableWriter() {
                @Override
                public <T> CompletableFuture<T> submit(Mutation<T> mutation) {
                    CompletableFuture<T> answer = writer.submit(mutation);
                    try {
                        while (writer.step(0)) {
                            // Each step writes a batch.
                        }
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    return answer;
                }
            };
        }
    }

    @Override
    public Bdt open(Map<String, String> options) throws IOException {
        if (mount.isEmpty()) {
            mount = Optional.of(
                    opener.open(opener.check(OpenCall.of(options)), new Stepping(), new RecoveryProgress(() -> 0)));
        }
        return new LocalBdt(mount.get(), Permissions.UNCHECKED);
    }

    /** Renews the lease when that is due. */
    public boolean renew() throws IOException {
        return mount.isPresent() && mount.get().lease().step();
    }

    /** Does a bounded piece of upkeep; returns true if one was due. */
    public boolean keepUp() {
        return mount.isPresent() && mount.get().upkeep().step();
    }

    /** Returns the present failures. */
    public List<UpkeepPart.Trouble> troubles() {
        return mount.map(opened -> opened.upkeep().troubles()).orElse(List.of());
    }

    @Override
    public KeyRing tokenKeys() {
        return KeyRing.EMPTY;
    }

    @Override
    public void close() {
        mount.ifPresent(Mount::kill);
        try {
            data.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
