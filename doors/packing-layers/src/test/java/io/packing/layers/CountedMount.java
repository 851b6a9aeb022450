// SPDX-License-Identifier: Apache-2.0
package io.packing.layers;

import io.packing.bdt.client.GrpcBdts;
import io.packing.registry.files.MountFiles;
import io.packing.store.MeteredObjectStore;
import io.packing.store.ObjectStores;
import io.packing.store.RequestKind;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.Writers;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** The mount of a rig as another machine opens it: with a cold cache, and with its requests to the store counted. */
public final class CountedMount implements AutoCloseable {
    private final AtomicInteger gets = new AtomicInteger();
    private final MountOptions options;
    private final GrpcBdts bdts;
    private final RemotePackingFileSystem mount;

    public CountedMount(LayerRig rig) throws IOException {
        this(rig, Map.of());
    }

    /** @param more options of this client alone */
    public CountedMount(LayerRig rig, Map<String, String> more) throws IOException {
        Map<String, String> all = new HashMap<>(rig.options());
        all.putAll(more);
        options = MountOptions.from(all);
        bdts = GrpcBdts.connect(rig.master(), Duration.ofSeconds(60));
        mount = RemotePackingFileSystem.open(
                bdts,
                options,
                new MeteredObjectStore(ObjectStores.open(options.store()), (kind, bytes, outcome) -> {
                    if (kind == RequestKind.GET) {
                        gets.incrementAndGet();
                    }
                }),
                Writers.preferHost("127.0.0.1"));
    }

    public RemotePackingFileSystem mount() {
        return mount;
    }

    public MountFiles files() {
        return new MountFiles(mount, options);
    }

    /** Returns the number of GET requests to the store until now. */
    public int gets() {
        return gets.get();
    }

    @Override
    public void close() throws IOException {
        mount.close();
        bdts.close();
    }
}
