// SPDX-License-Identifier: Apache-2.0
package io.packing.bench;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.bdt.client.GrpcBdts;
import io.packing.bdt.master.BdtMaster;
import io.packing.bdt.master.BdtMasterOptions;
import io.packing.bdt.master.MasterGroupOptions;
import io.packing.bdt.master.MasterSite;
import io.packing.bdt.master.Stores;
import io.packing.bdt.raft.RaftMember;
import io.packing.store.ObjectStores;
import io.packing.worker.PackingWorker;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.WorkerOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A driver's master or worker in a process of its own: {@code master DIRECTORY STORE [bdt.KEY=VALUE ...]} or
 * {@code worker MASTERS DIRECTORY [packing.KEY=VALUE ...]}. Options can make the master a member of a group. Each
 * prints its address when it is ready.
 */
final class IngestServer {
    private IngestServer() {}

    public static void main(String[] args) throws IOException {
        List<String> options = List.of(args).subList(3, args.length);
        switch (args[0]) {
            case "master" -> master(Path.of(args[1]), Path.of(args[2]), parsed(options));
            case "worker" -> worker(args[1], Path.of(args[2]), parsed(options));
            default ->
                throw new IllegalArgumentException("unknown server '%s', want master or worker".formatted(args[0]));
        }
    }

    private static void master(Path data, Path store, Map<String, String> options) throws IOException {
        Map<String, String> raw = new LinkedHashMap<>(options);
        raw.put("bdt.data.dir", data.toString());
        raw.put("bdt.port", "0");
        raw.put("bdt.stores", "file://" + store);
        BdtMasterOptions config = BdtMasterOptions.from(raw);
        Optional<MasterGroupOptions> group = MasterGroupOptions.from(raw);
        try (BdtMaster master = (group.isPresent() ? member(config, group.get()) : BdtMaster.start(config)).serve()) {
            ChildProcess.serve("127.0.0.1:" + master.port());
        }
    }

    private static BdtMaster member(BdtMasterOptions config, MasterGroupOptions group) throws IOException {
        Stores stores = Stores.standard(config::stores, config.access());
        RaftMember member = RaftMember.start(config, group, stores, RaftMember.Tuning.USUAL, System::nanoTime);
        try {
            return BdtMaster.start(config, MasterSite.ofMember(new AtomicReference<>(config.stores()), stores, member));
        } catch (IOException | RuntimeException e) {
            member.close();
            throw e;
        }
    }

    private static void worker(String masters, Path home, Map<String, String> options) throws IOException {
        MountOptions mountOptions = MountOptions.from(options);
        try (GrpcBdts bdts = GrpcBdts.connect(masters, Duration.ofSeconds(30), mountOptions.security());
                PackingWorker worker = PackingWorker.start(
                        new WorkerOptions("bench", home, "127.0.0.1", 0, mountOptions.security()),
                        bdts,
                        ObjectStores::open,
                        Clock.systemUTC(),
                        new SimpleMeterRegistry());
                PackingFileSystem mount = worker.open(mountOptions)) {
            ChildProcess.serve(mount.bdt().workers().get(0).address());
        }
    }

    private static Map<String, String> parsed(List<String> options) {
        Map<String, String> raw = new LinkedHashMap<>();
        options.forEach(
                option -> raw.put(option.substring(0, option.indexOf('=')), option.substring(option.indexOf('=') + 1)));
        return raw;
    }
}
