// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import io.packing.bdt.MountEntry;
import io.packing.bdt.MoveProgress;
import io.packing.bdt.client.FederationClient;
import io.packing.bdt.client.GrpcBdts;
import io.packing.process.Await;
import io.packing.process.Ports;
import io.packing.sorted.SortedStoreOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Two groups of one master each, called a and b, with a backing store in a directory; the first has the table of mounts. */
final class TwoGroups implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Path root;
    private final Map<String, String> addresses = new LinkedHashMap<>();
    private final Map<String, BdtMaster> running = new LinkedHashMap<>();
    private final List<GrpcBdts> clients = new ArrayList<>();

    TwoGroups(Path root) throws IOException {
        this.root = root;
        Files.createDirectories(root.resolve("store"));
        List<Integer> ports = Ports.free(2);
        addresses.put("a", "127.0.0.1:" + ports.get(0));
        addresses.put("b", "127.0.0.1:" + ports.get(1));
        BdtMaster unusedA = start("a", "");
        BdtMaster unusedB = start("b", "");
    }

    String store() {
        return "file://" + root.resolve("store");
    }

    Map<String, String> options() {
        return Map.of("packing.store", store(), "packing.backup.interval", "10h", "packing.journal.interval", "10h");
    }

    /** @param other a store that this master may use in the place of the usual one; empty: that one */
    BdtMaster start(String group, String other) throws IOException {
        BdtMasterOptions config = new BdtMasterOptions(
                        root.resolve(group),
                        "127.0.0.1",
                        Integer.parseInt(address(group).substring("127.0.0.1:".length())),
                        -1,
                        SortedStoreOptions.Engine.LEVELDB,
                        1 << 20,
                        0)
                .allowing(AllowedStores.parse(other.isEmpty() ? store() : other))
                .spreadOver(new Federation(group, addresses));
        BdtMaster master = BdtMaster.start(config).serve();
        running.put(group, master);
        return master;
    }

    String address(String group) {
        return Optional.ofNullable(addresses.get(group)).orElseThrow();
    }

    BdtMaster master(String group) {
        return Optional.ofNullable(running.get(group)).orElseThrow();
    }

    MountMoves moves(String group) {
        return master(group).moves().orElseThrow();
    }

    /** Ends a master as a crash would. */
    void kill(String group) {
        BdtMaster killed = running.remove(group);
        if (killed != null) {
            killed.kill();
        }
    }

    /** A client that knows the master of one group. */
    synchronized GrpcBdts client(String group) {
        GrpcBdts client = GrpcBdts.connect(address(group), PATIENCE);
        clients.add(client);
        return client;
    }

    List<MountEntry> table() throws IOException {
        return client("b").groups().table().mounts();
    }

    /** The one mount's name. */
    String mount() throws IOException {
        return table().get(0).mount();
    }

    /** Moves the one mount, and waits for the end of it. */
    MoveProgress move(String to) throws IOException, InterruptedException {
        MoveProgress unused = client("a").groups().move(mount(), to, true);
        return await(to);
    }

    /** Waits for the end of a move that was begun. */
    MoveProgress await(String to) throws IOException, InterruptedException {
        FederationClient groups = client("a").groups();
        String mount = mount();
        List<MoveProgress> seen = new ArrayList<>();
        Await.until("the move to group " + to + " is over", () -> {
            seen.add(groups.move(mount, to, false));
            return seen.get(seen.size() - 1).isOver();
        });
        return seen.get(seen.size() - 1);
    }

    /** The groups that have the mount open, and may write it. */
    List<String> owners() {
        List<String> owners = new ArrayList<>();
        running.forEach((group, master) -> master.mounts().stream()
                .filter(mount ->
                        mount.writer().isTaking() && mount.lease().lost().isEmpty())
                .forEach(mount -> owners.add(group)));
        return owners;
    }

    @Override
    public void close() {
        clients.forEach(GrpcBdts::close);
        List.copyOf(running.keySet()).forEach(this::kill);
    }
}
