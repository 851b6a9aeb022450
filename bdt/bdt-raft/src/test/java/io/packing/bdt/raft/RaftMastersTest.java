// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.net.HostAndPort;
import io.packing.bdt.Bdt;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.Outcome;
import io.packing.bdt.client.GrpcBdts;
import io.packing.bdt.master.MasterGroupOptions;
import io.packing.blob.FilePath;
import io.packing.certificates.TestAuthority;
import io.packing.durable.DurableDirectory;
import io.packing.process.Await;
import io.packing.sorted.Cursor;
import io.packing.sorted.SortedStore;
import io.packing.sorted.SortedStoreOptions;
import io.packing.sorted.SortedStores;
import io.packing.transport.Security;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A test of three masters of one group: acknowledged changes survive each change of the leader, and only a leader
 * answers.
 */
@Timeout(180)
class RaftMastersTest {
    private static final List<String> THREE = List.of("a", "b", "c");
    private static final DirectoryAttributes DIRECTORY = new DirectoryAttributes("u", "g", 0755);

    @TempDir
    private Path root;

    private static void make(Bdt table, String path) throws IOException {
        assertThat(table.mkdir(new FilePath(path), DIRECTORY, false)).isEqualTo(Outcome.DONE);
    }

    /** A client that makes directories until the test ends it, and records the acknowledged ones. */
    private static final class Load extends Thread {
        private final Bdt table;
        private final String prefix;
        private final AtomicBoolean end;
        private final Queue<String> acknowledged = new ConcurrentLinkedQueue<>();
        private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

        Load(Bdt table, String prefix, AtomicBoolean end) {
            this.table = table;
            this.prefix = prefix;
            this.end = end;
        }

        @Override
        public void run() {
            try {
                for (int i = 0; !end.get(); i++) {
                    String path = "/%s-%d".formatted(prefix, i);
                    make(table, path);
                    acknowledged.add(path);
                }
            } catch (IOException | RuntimeException | AssertionError e) {
                failures.add(e);
            }
        }
    }

    private static int acknowledged(List<Load> loads) {
        return loads.stream().mapToInt(each -> each.acknowledged.size()).sum();
    }

    @Test
    void nothingThatWasAcknowledgedIsLostWhenLeadersDieUnderLoad() throws Exception {
        try (Masters masters = new Masters(root).saving(50).startAll(THREE);
                GrpcBdts client = masters.client()) {
            Bdt table = client.open(masters.mount());
            AtomicBoolean end = new AtomicBoolean();
            List<Load> loads = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                Load load = new Load(table, "load-" + i, end);
                load.start();
                loads.add(load);
            }
            for (int kill = 0; kill < 3; kill++) {
                int before = acknowledged(loads);
                Await.until("100 more operations are acknowledged", () -> {
                    assertThat(loads)
                            .allSatisfy(each -> assertThat(each.failures).isEmpty());
                    return acknowledged(loads) >= before + 100;
                });
                String leader = masters.leader();
                masters.stop(leader);
                String next = masters.leader();
                assertThat(next).isNotEqualTo(leader);
                Masters.Running unused = masters.start(leader, THREE);
            }
            end.set(true);
            for (Load load : loads) {
                load.join();
                assertThat(load.failures).isEmpty();
                assertThat(load.acknowledged).isNotEmpty();
                for (String path : load.acknowledged) {
                    assertThat(table.stat(new FilePath(path))).as(path).isPresent();
                }
            }
        }
    }

    @Test
    void aMemberThatWasAwayGetsTheSameRowsByTheLogOrByACheckpoint() throws Exception {
        try (Masters masters = new Masters(root).saving(10).startAll(THREE);
                GrpcBdts client = masters.client()) {
            Bdt table = client.open(masters.mount());
            make(table, "/first");
            String leader = masters.leader();
            String away =
                    THREE.stream().filter(id -> !id.equals(leader)).findFirst().orElseThrow();
            masters.stop(away);
            for (int i = 0; i < 400; i++) {
                make(table, "/d" + i);
            }
            Masters.Running unused = masters.start(away, THREE);
            make(table, "/last");
            long end = masters.member(leader).applied();
            Await.until(
                    "it has applied what it missed", () -> masters.member(away).applied() >= end);
            masters.stopAll();
            Map<String, String> rows = rows(leader);
            assertThat(rows).isNotEmpty();
            assertThat(rows(away)).isEqualTo(rows);
        }
    }

    private Map<String, String> rows(String member) throws IOException {
        Map<String, String> rows = new TreeMap<>();
        try (Stream<Path> folders = Files.walk(root.resolve(member).resolve("raft"), 2)) {
            for (Path folder : folders.filter(
                            each -> each.getFileName().toString().contains("@"))
                    .toList()) {
                try (SortedStore store = SortedStores.open(
                                DurableDirectory.create(folder),
                                new SortedStoreOptions(SortedStoreOptions.Engine.LEVELDB, 1 << 20, 1 << 20, 0));
                        Cursor all = store.scan(new byte[0], new byte[0])) {
                    while (all.next()) {
                        rows.put(
                                HexFormat.of().formatHex(all.key()),
                                HexFormat.of().formatHex(all.value()));
                    }
                }
            }
        }
        return rows;
    }

    @Test
    void aFollowerNamesTheLeaderAndAnswersNothing() throws Exception {
        try (Masters masters = new Masters(root).startAll(THREE)) {
            try (GrpcBdts client = masters.client()) {
                make(client.open(masters.mount()), "/d");
            }
            String leader = masters.leader();
            String follower =
                    THREE.stream().filter(id -> !id.equals(leader)).findFirst().orElseThrow();
            Await.until(
                    "the follower knows who leads",
                    () -> masters.member(follower)
                            .refusal()
                            .flatMap(why -> why.leader())
                            .isPresent());
            assertThat(masters.member(follower).refusal().orElseThrow().leader())
                    .contains(masters.address(leader));
            // The client knows only the follower, which sends it to the leader.
            try (GrpcBdts client = masters.client(List.of(follower), Duration.ofSeconds(30))) {
                assertThat(client.open(masters.mount()).stat(new FilePath("/d")))
                        .isPresent();
            }
        }
    }

    @Test
    void aLeaderWithoutAMajorityAnswersNothing() throws Exception {
        try (Masters masters = new Masters(root).startAll(THREE);
                GrpcBdts client = masters.client()) {
            Bdt table = client.open(masters.mount());
            make(table, "/d");
            String leader = masters.leader();
            THREE.stream().filter(id -> !id.equals(leader)).forEach(masters::stop);
            Await.until(
                    "its lease has ended",
                    () -> masters.member(leader).refusal().isPresent());
            try (GrpcBdts impatient = masters.client(List.of(leader), Duration.ofMillis(500))) {
                assertThatThrownBy(() -> impatient.open(masters.mount())).isInstanceOf(IOException.class);
            }
        }
    }

    @Test
    void aListThatDisagreesIsRefusedWithBothLists() throws Exception {
        try (Masters masters = new Masters(root)) {
            String three = masters.peers(THREE);
            Masters.Running a = masters.start("a", three, false);
            assertThat(a.member().refusal()).isPresent();
            String other = masters.peers(List.of("a", "b", "d"));
            assertThatThrownBy(() -> masters.start("b", other, false))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("another group")
                    .hasMessageContaining("bdt.raft.peers");
        }
    }

    @Test
    void aMemberWhoseDiskWasReplacedOrRestoredIsRefused() throws Exception {
        try (Masters masters = new Masters(root).startAll(THREE);
                GrpcBdts client = masters.client()) {
            make(client.open(masters.mount()), "/d");
            String leader = masters.leader();
            String lost =
                    THREE.stream().filter(id -> !id.equals(leader)).findFirst().orElseThrow();
            masters.awaitKnown(leader, lost);
            masters.stop(lost);
            Path aside = root.resolve("aside");
            Files.move(masters.data(lost), aside);
            assertThat(masters.refusal(lost, THREE)).contains("as a new member");
        }
    }

    @Test
    void aMemberIsReplacedByANewOneWhileTheGroupServes() throws Exception {
        List<String> four = List.of("a", "b", "c", "d");
        try (Masters masters = new Masters(root)) {
            String all = masters.peers(four);
            masters.startAll(THREE);
            try (GrpcBdts client = masters.client(THREE, Duration.ofSeconds(60))) {
                Bdt table = client.open(masters.mount());
                make(table, "/before");
                Masters.Running d = masters.start("d", all, true);
                masters.awaitKnown(masters.leader(), "d");
                String gone = masters.leader();
                try (MasterGroupMembers members =
                        MasterGroupMembers.connect(MasterGroupOptions.peers(masters.peers(THREE)), Security.NONE)) {
                    assertThat(members.all())
                            .extracting(MasterGroupMembers.Member::id)
                            .isEqualTo(four);
                    masters.stop(gone);
                    members.remove(gone);
                }
                make(table, "/after");
                assertThat(table.stat(new FilePath("/before"))).isPresent();
                assertThat(d.member().problem()).isEmpty();
            }
        }
    }

    @Test
    void mastersWithTlsBelieveMastersOnly() throws Exception {
        TestAuthority authority = TestAuthority.create(root.resolve("tls"), "authority", Instant.now());
        Map<String, String> master =
                authority.options("bdt", authority.issue("master", "CN=master, O=packing-daemon, O=packing-master"));
        Map<String, String> daemon = authority.options("bdt", authority.issue("daemon", "CN=w, O=packing-daemon"));
        try (Masters masters = new Masters(root).securedBy(master).startAll(THREE)) {
            String leader = masters.leader();
            Map<String, HostAndPort> peers = MasterGroupOptions.peers(masters.peers(THREE));
            try (MasterGroupMembers members = MasterGroupMembers.connect(peers, Masters.security(master))) {
                assertThat(members.all())
                        .extracting(MasterGroupMembers.Member::id)
                        .contains(leader);
            }
            for (Security other : List.of(Masters.security(daemon), Security.NONE)) {
                assertThatThrownBy(() -> MasterGroupMembers.connect(peers, other))
                        .isInstanceOf(IOException.class);
            }
        }
    }
}
