// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.Counter;
import io.packing.bdt.AttributeChange;
import io.packing.bdt.Bdt;
import io.packing.bdt.ByteRange;
import io.packing.bdt.DeniedException;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.FoundEntry;
import io.packing.bdt.ListedEntry;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Placement;
import io.packing.bdt.VectorResult;
import io.packing.bdt.client.GrpcBdts;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.PackingInput;
import io.packing.worker.api.Writers;
import io.packing.worker.client.RemotePackingFileSystem;
import io.packing.worker.read.Peers;
import io.packing.worker.rpc.PeerClient;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A master that names places to daemons and superusers only: other clients read through workers, and only bytes that
 * they may read.
 */
@Timeout(180)
final class WithheldPlacesTest {
    private static final int LENGTH = 100;
    private static final FilePath SECRET = new FilePath("/secret");
    private static final FilePath PUBLIC = new FilePath("/public");
    private static final FilePath HEADER = new FilePath("/header");
    /** A store that fails the test when it is opened. */
    private static final RemotePackingFileSystem.StoreOpener NO_STORE = options -> {
        throw new AssertionError("a client to whom no place is named opens no store");
    };

    @TempDir
    private Path home;

    private SecuredRig rig;
    private final List<AutoCloseable> opened = new ArrayList<>();

    @BeforeEach
    void start() throws Exception {
        rig = new SecuredRig(home, Map.of("bdt.places", "daemons"));
        RemotePackingFileSystem alice = mount(rig.certified("alice", "CN=alice"));
        put(alice, SECRET, 0600);
        put(alice, PUBLIC, 0644);
        apply(
                alice.bdt(),
                new Operation.CreateFile(HEADER, mode(0644), false),
                new Operation.CloneRange(new ByteRange(SECRET, 0, 10), HEADER, 0));
        root().flush();
    }

    @AfterEach
    void stop() throws Exception {
        for (int i = opened.size() - 1; i >= 0; i--) {
            opened.get(i).close();
        }
        rig.close();
    }

    private RemotePackingFileSystem root() throws IOException {
        MountOptions options = rig.certified("root", "CN=root, O=packing-superuser");
        GrpcBdts bdts = rig.bdts(options.security());
        opened.add(bdts);
        RemotePackingFileSystem mount = SecuredRig.open(bdts, options);
        opened.add(mount);
        return mount;
    }

    /** Returns the mount of a client without a store. */
    private RemotePackingFileSystem mount(MountOptions options) throws IOException {
        GrpcBdts bdts = rig.bdts(options.security());
        opened.add(bdts);
        RemotePackingFileSystem mount =
                RemotePackingFileSystem.open(bdts, options, NO_STORE, Writers.preferHost("127.0.0.1"));
        opened.add(mount);
        return mount;
    }

    private RemotePackingFileSystem carol() throws IOException {
        return mount(rig.certified("carol", "CN=carol"));
    }

    private Peers peers(MountOptions options) {
        PeerClient client = new PeerClient(options.security());
        opened.add(client);
        return client.reading(Duration.ofSeconds(20));
    }

    /** Returns bytes that show their offset. */
    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (i + 1);
        }
        return bytes;
    }

    private static void put(RemotePackingFileSystem mount, FilePath path, int mode) throws Exception {
        FileVersion unused = mount.put(
                        path, ByteBuffer.wrap(bytes(LENGTH)), new CreateOptions("", "", mode, false, false))
                .get();
    }

    private static AttributeChange mode(int mode) {
        return new AttributeChange(Optional.empty(), Optional.empty(), OptionalInt.of(mode));
    }

    private static void apply(Bdt bdt, Operation... operations) throws IOException {
        assertThat(bdt.apply(OperationVector.of(operations))).isInstanceOf(VectorResult.Applied.class);
    }

    private static byte[] read(RemotePackingFileSystem mount, FilePath path) throws IOException {
        try (PackingInput in = mount.open(path)) {
            ByteBuffer all = ByteBuffer.allocate((int) in.attributes().length());
            while (all.hasRemaining()) {
                assertThat(in.read(all.position(), all)).isPositive();
            }
            return all.array();
        }
    }

    /** Returns whether a placement names a blob. */
    private static boolean namesBlob(Placement placement) {
        return placement instanceof Placement.Mapped mapped
                ? mapped.pieces().stream()
                        .anyMatch(piece -> namesBlob(piece.content().placement()))
                : placement instanceof Placement.Packed;
    }

    private static boolean isWithheld(Placement placement) {
        return placement instanceof Placement.Mapped mapped
                ? mapped.pieces().stream()
                        .allMatch(piece -> isWithheld(piece.content().placement()))
                : placement instanceof Placement.Withheld;
    }

    /** Asks for the places of files by each call. */
    private static List<Placement> told(Bdt bdt, FilePath... paths) throws IOException {
        List<Placement> told = new ArrayList<>();
        for (FilePath path : paths) {
            LocatedFile file = bdt.locate(path).orElseThrow();
            told.add(file.placement());
            bdt.locate(file.status().version()).map(LocatedFile::placement).ifPresent(told::add);
            bdt.locate(file.status().version(), path)
                    .map(LocatedFile::placement)
                    .ifPresent(told::add);
        }
        for (FoundEntry found : bdt.find(List.of(paths))) {
            told.add(found.entry().flatMap(ListedEntry::placement).orElseThrow());
        }
        return told;
    }

    @Test
    void aUserIsToldNoBlobByAnyCall() throws IOException {
        RemotePackingFileSystem carol = carol();
        assertThat(carol.bdt().withholdsPlaces()).isTrue();
        apply(
                root().bdt(),
                new Operation.MakeDirectory(new FilePath("/d"), new DirectoryAttributes("", "", 0755), false),
                new Operation.CloneFile(PUBLIC, new FilePath("/d/clone"), false, mode(0644)));
        List<Placement> told = told(carol.bdt(), PUBLIC, HEADER);
        carol.bdt()
                .listLocated(new FilePath("/d"), "", 10)
                .orElseThrow()
                .entries()
                .forEach(entry -> told.add(entry.placement().orElseThrow()));
        assertThat(told).hasSizeGreaterThanOrEqualTo(6).allMatch(WithheldPlacesTest::isWithheld);
        Bdt roots = root().bdt();
        assertThat(roots.withholdsPlaces()).isFalse();
        assertThat(told(roots, PUBLIC, HEADER, SECRET)).allMatch(WithheldPlacesTest::namesBlob);
    }

    @Test
    void usersReadWhatTheyMayReadAndHaveNoStore() throws IOException {
        RemotePackingFileSystem carol = carol();
        assertThat(carol.isReadThroughWorkers()).isTrue();
        assertThat(read(carol, PUBLIC)).isEqualTo(bytes(LENGTH));
        assertThat(read(carol, HEADER)).isEqualTo(bytes(10));
        assertThatExceptionOfType(DeniedException.class)
                .isThrownBy(() -> read(carol, SECRET))
                .withMessageContaining("user=carol, access=READ, inode=\"/secret\"");
        assertThat(read(mount(rig.certified("alice", "CN=alice")), SECRET)).isEqualTo(bytes(LENGTH));
    }

    @Test
    void aTokenIsWhoItNames() throws IOException {
        String alices;
        try (GrpcBdts bdts = rig.bdts(rig.certified("alice", "CN=alice").security())) {
            alices = bdts.tokens().issue("", "").text();
        }
        assertThat(read(mount(rig.showing(alices)), SECRET)).isEqualTo(bytes(LENGTH));
        String carols;
        try (GrpcBdts bdts = rig.bdts(rig.certified("carol", "CN=carol").security())) {
            carols = bdts.tokens().issue("", "").text();
        }
        FileVersion version = root().bdt().stat(SECRET).orElseThrow().version();
        Peers peers = peers(rig.showing(carols));
        assertThatExceptionOfType(DeniedException.class)
                .isThrownBy(
                        () -> peers.readStored(rig.workerAddress(), rig.nobody().mountName(), SECRET, version, 0, 1));
    }

    /** Collects the bytes of a version in a blob that the worker gives to a client by any path. */
    private Set<Integer> stolen(Peers peers, FileVersion version) throws IOException {
        Set<Integer> stolen = new TreeSet<>();
        for (FilePath path : List.of(SECRET, PUBLIC, HEADER, FilePath.ROOT, new FilePath("/nothing"))) {
            for (int offset = 0; offset < LENGTH; offset++) {
                try {
                    Optional<ByteBuffer> got = peers.readStored(
                            rig.workerAddress(), rig.nobody().mountName(), path, version, offset, LENGTH - offset);
                    for (int i = 0; got.isPresent() && i < got.get().remaining(); i++) {
                        assertThat(got.get().get(got.get().position() + i)).isEqualTo((byte) (offset + i + 1));
                        stolen.add(offset + i);
                    }
                } catch (DeniedException e) {
                    assertThat(e).hasMessageContaining("Permission denied");
                }
            }
        }
        return stolen;
    }

    private static Set<Integer> range(int from, int to) {
        Set<Integer> range = new TreeSet<>();
        for (int i = from; i < to; i++) {
            range.add(i);
        }
        return range;
    }

    @Test
    void aWorkerGivesOfAVersionInABlobTheBytesThatTheUsersFileHas() throws IOException {
        FileVersion version = root().bdt().stat(SECRET).orElseThrow().version();
        assertThat(root().bdt().locate(version).orElseThrow().placement()).matches(WithheldPlacesTest::namesBlob);
        assertThat(stolen(peers(rig.certified("carol", "CN=carol")), version)).isEqualTo(range(0, 10));
        // A daemon reads the store itself, and its certificate gives no right to files.
        assertThat(stolen(peers(rig.certified("other", "CN=other, O=packing-daemon")), version))
                .isEqualTo(range(0, 10));
        assertThat(stolen(peers(rig.certified("root", "CN=root, O=packing-superuser")), version))
                .isEqualTo(range(0, LENGTH));
        apply(root().bdt(), new Operation.SetAttributes(HEADER, mode(0600)));
        assertThat(stolen(peers(rig.certified("dave", "CN=dave")), version)).isEmpty();
    }

    private double gets() {
        return rig.metrics.find("packing.store.requests").tag("kind", "get").counters().stream()
                .mapToDouble(Counter::count)
                .sum();
    }

    @Test
    void whoMayNotReadCausesNoRequestToTheStore() throws IOException {
        FileVersion version = root().bdt().stat(SECRET).orElseThrow().version();
        Peers carols = peers(rig.certified("carol", "CN=carol"));
        double before = gets();
        for (FilePath path : List.of(SECRET, PUBLIC, FilePath.ROOT)) {
            try {
                assertThat(carols.readStored(rig.workerAddress(), rig.nobody().mountName(), path, version, 0, LENGTH))
                        .isEmpty();
            } catch (DeniedException e) {
                assertThat(e).hasMessageContaining("Permission denied");
            }
        }
        assertThat(gets()).isEqualTo(before);
        assertThat(read(mount(rig.certified("alice", "CN=alice")), SECRET)).isEqualTo(bytes(LENGTH));
        assertThat(gets()).isGreaterThan(before);
    }

    @Test
    void anotherGenerationIsNoVersion() throws IOException {
        FileVersion version = root().bdt().stat(PUBLIC).orElseThrow().version();
        Peers carols = peers(rig.certified("carol", "CN=carol"));
        for (long generation : new long[] {0, version.generation() - 1, version.generation() + 1, Long.MAX_VALUE}) {
            assertThat(stolen(carols, new FileVersion(version.id(), generation)))
                    .isEmpty();
        }
    }

    @Test
    void onlyDaemonsLocateForUsersAndLearnNoName() throws IOException {
        FileVersion version = root().bdt().stat(SECRET).orElseThrow().version();
        Bdt carols = carol().bdt();
        assertThatExceptionOfType(DeniedException.class)
                .isThrownBy(() -> carols.locateForUsers(version))
                .withMessageContaining("user=carol is no worker");
        MountOptions daemon = rig.certified("other", "CN=other, O=packing-daemon");
        try (GrpcBdts bdts = rig.bdts(daemon.security());
                Bdt daemons = bdts.open(daemon.raw())) {
            assertThat(daemons.withholdsPlaces()).isFalse();
            LocatedFile told = daemons.locateForUsers(version).orElseThrow();
            assertThat(told.placement()).matches(WithheldPlacesTest::namesBlob);
            assertThat(told.status().path()).isEqualTo(FilePath.ROOT);
            assertThat(told.status().version()).isEqualTo(version);
            assertThat(told.status().attributes().length()).isEqualTo(LENGTH);
            assertThat(told.status().attributes().owner()).isEmpty();
            assertThat(told.status().attributes().mode()).isZero();
        }
    }

    @Test
    void anOverwrittenVersionIsNotReadByItsUserAnyMore() throws Exception {
        RemotePackingFileSystem carol = carol();
        FileVersion before = carol.bdt().stat(PUBLIC).orElseThrow().version();
        try (PackingInput in = carol.open(PUBLIC)) {
            FileVersion unused = mount(rig.certified("alice", "CN=alice"))
                    .put(PUBLIC, ByteBuffer.wrap(new byte[LENGTH]), new CreateOptions("", "", 0644, false, true))
                    .get();
            root().flush();
            assertThatThrownBy(() -> in.read(0, ByteBuffer.allocate(1))).isInstanceOf(IOException.class);
        }
        assertThat(stolen(peers(rig.certified("carol", "CN=carol")), before)).isEmpty();
        assertThat(read(carol, PUBLIC)).isEqualTo(new byte[LENGTH]);
    }

    @Test
    void aRunningMasterTakesTheOptionAndOpenClientsFollow() throws IOException {
        rig.masterTakes("bdt.places", "all");
        MountOptions options = rig.certified("carol", "CN=carol");
        try (GrpcBdts bdts = rig.bdts(options.security());
                RemotePackingFileSystem reads = SecuredRig.open(bdts, options)) {
            assertThat(reads.isReadThroughWorkers()).isFalse();
            assertThat(told(reads.bdt(), PUBLIC, HEADER)).allMatch(WithheldPlacesTest::namesBlob);
            assertThat(read(reads, PUBLIC)).isEqualTo(bytes(LENGTH));
            rig.masterTakes("bdt.places", "daemons");
            assertThat(told(reads.bdt(), PUBLIC, HEADER)).allMatch(WithheldPlacesTest::isWithheld);
            assertThat(read(reads, PUBLIC)).isEqualTo(bytes(LENGTH));
            assertThat(read(reads, HEADER)).isEqualTo(bytes(10));
        }
    }

    @Test
    void workersReadForUsersAfterARestartOfTheMaster() throws IOException {
        RemotePackingFileSystem carol = carol();
        rig.restartMaster();
        assertThat(read(carol, PUBLIC)).isEqualTo(bytes(LENGTH));
        assertThat(read(carol, HEADER)).isEqualTo(bytes(10));
    }
}
