// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.micrometer.core.instrument.Counter;
import io.packing.bdt.AttributeChange;
import io.packing.bdt.Bdt;
import io.packing.bdt.BdtUser;
import io.packing.bdt.ByteRange;
import io.packing.bdt.DeniedException;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.FoundEntry;
import io.packing.bdt.ListedEntry;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Placement;
import io.packing.bdt.VectorResult;
import io.packing.bdt.client.GrpcBdts;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.MountOptions;
import io.packing.worker.client.RemotePackingFileSystem;
import io.packing.worker.read.BatchAnswer;
import io.packing.worker.rpc.PeerClient;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Batches of small files, of which each user receives those that this user may read. */
@Timeout(180)
final class BatchRightsTest {
    private static final FilePath SECRET = new FilePath("/secret");
    private static final FilePath PUBLIC = new FilePath("/public");
    private static final FilePath HEADER = new FilePath("/header");
    private static final FilePath HIDDEN = new FilePath("/private/hidden");
    private static final FilePath NOTHING = new FilePath("/private/nothing");
    private static final List<FilePath> ALL = List.of(SECRET, PUBLIC, HEADER, HIDDEN, NOTHING);
    private static final byte[] BYTES = "a secret text".getBytes(StandardCharsets.UTF_8);

    @TempDir
    private Path home;

    private SecuredRig rig;
    private GrpcBdts rootsMaster;
    private RemotePackingFileSystem root;

    @BeforeEach
    void start() throws Exception {
        rig = new SecuredRig(home, Map.of("bdt.places", "daemons"));
        MountOptions options = rig.certified("root", "CN=root, O=packing-superuser");
        rootsMaster = rig.bdts(options.security());
        root = SecuredRig.open(rootsMaster, options);
        apply(new Operation.MakeDirectory(new FilePath("/private"), new DirectoryAttributes("alice", "", 0700), false));
        put(SECRET, 0600);
        put(PUBLIC, 0644);
        put(HIDDEN, 0644);
        apply(
                new Operation.CreateFile(HEADER, mode(0644), false),
                new Operation.CloneRange(new ByteRange(SECRET, 0, 2), HEADER, 0));
        root.flush();
    }

    @AfterEach
    void stop() throws Exception {
        root.close();
        rootsMaster.close();
        rig.close();
    }

    private void put(FilePath path, int mode) throws Exception {
        FileVersion unused = root.put(path, ByteBuffer.wrap(BYTES), new CreateOptions("alice", "", mode, false, false))
                .get();
    }

    private static AttributeChange mode(int mode) {
        return new AttributeChange(Optional.empty(), Optional.empty(), OptionalInt.of(mode));
    }

    private void apply(Operation... operations) throws IOException {
        assertThat(root.bdt().apply(OperationVector.of(operations))).isInstanceOf(VectorResult.Applied.class);
    }

    private List<BatchAnswer> read(MountOptions options, List<FilePath> paths) throws IOException {
        try (PeerClient client = new PeerClient(options.security())) {
            return client.readBatch(
                    rig.workerAddress(), rig.nobody().mountName(), paths, false, Duration.ofSeconds(30));
        }
    }

    private List<BatchAnswer> read(String user) throws IOException {
        return read(rig.certified(user, "CN=" + user), ALL);
    }

    private static BatchAnswer whole(byte[] bytes) {
        return new BatchAnswer.Whole(ByteBuffer.wrap(bytes));
    }

    private static void assertOnlyOpenFiles(List<BatchAnswer> answers, String user) {
        assertThat(answers.get(0)).isNotInstanceOf(BatchAnswer.Whole.class);
        assertThat(answers.get(1)).isEqualTo(whole(BYTES));
        assertThat(answers.get(2)).isEqualTo(whole("a ".getBytes(StandardCharsets.UTF_8)));
        for (int i = 3; i < 5; i++) {
            assertThat(((BatchAnswer.Denied) answers.get(i)).why()).contains("user=" + user, "EXECUTE", "/private");
        }
    }

    @Test
    void aUserReceivesTheFilesThatThisUserMayRead() throws IOException {
        assertOnlyOpenFiles(read("carol"), "carol");
        assertThat(read("alice"))
                .containsExactly(
                        whole(BYTES),
                        whole(BYTES),
                        whole("a ".getBytes(StandardCharsets.UTF_8)),
                        whole(BYTES),
                        new BatchAnswer.Absent());
        assertThat(read(rig.certified("other-root", "CN=root, O=packing-superuser"), ALL))
                .containsExactlyElementsOf(read("alice"));
        // A daemon's certificate gives no right to files.
        assertOnlyOpenFiles(read(rig.certified("other", "CN=other, O=packing-daemon"), ALL), "other");
    }

    @Test
    void aTokenIsWhoItNames() throws IOException {
        String carols;
        try (GrpcBdts bdts = rig.bdts(rig.certified("carol", "CN=carol").security())) {
            carols = bdts.tokens().issue("", "").text();
        }
        assertOnlyOpenFiles(read(rig.showing(carols), ALL), "carol");
        assertThatExceptionOfType(IOException.class).isThrownBy(() -> read(rig.nobody(), ALL));
        assertThatExceptionOfType(IOException.class).isThrownBy(() -> read(rig.showing("AAAA"), ALL));
    }

    @Test
    void aRightThatIsTakenAwayEndsWithTheNextBatch() throws IOException {
        assertThat(read("carol").get(1)).isEqualTo(whole(BYTES));
        apply(new Operation.SetAttributes(PUBLIC, mode(0600)));
        assertThat(read("carol").get(1)).isNotInstanceOf(BatchAnswer.Whole.class);
    }

    private double gets() {
        return rig.metrics.find("packing.store.requests").tag("kind", "get").counters().stream()
                .mapToDouble(Counter::count)
                .sum();
    }

    @Test
    void whoMayNotReadCausesNoRequestToTheStore() throws IOException {
        double before = gets();
        for (BatchAnswer answer : read(rig.certified("carol", "CN=carol"), List.of(SECRET, HIDDEN, NOTHING))) {
            assertThat(answer).isNotInstanceOf(BatchAnswer.Whole.class);
        }
        assertThat(gets()).isEqualTo(before);
        assertThat(read("alice").get(0)).isEqualTo(whole(BYTES));
        assertThat(gets()).isGreaterThan(before);
    }

    private static List<Boolean> placed(List<FoundEntry> found) {
        return found.stream()
                .map(each -> each.entry()
                        .flatMap(ListedEntry::placement)
                        .filter(placement ->
                                placement instanceof Placement.Packed || placement instanceof Placement.Mapped)
                        .isPresent())
                .toList();
    }

    @Test
    void onlyDaemonsLookUpPathsForUsers() throws IOException {
        BdtUser alice = new BdtUser("alice", false);
        for (MountOptions caller : List.of(rig.certified("carol", "CN=carol"), rig.certified("bob", "CN=bob"))) {
            try (GrpcBdts bdts = rig.bdts(caller.security());
                    Bdt bdt = bdts.open(caller.raw())) {
                for (BdtUser user : List.of(alice, new BdtUser("carol", false), new BdtUser("root", true))) {
                    assertThatExceptionOfType(DeniedException.class)
                            .isThrownBy(() -> bdt.findForUser(ALL, user))
                            .withMessageContaining("is no worker");
                }
            }
        }
        MountOptions daemon = rig.certified("other", "CN=other, O=packing-daemon");
        try (GrpcBdts bdts = rig.bdts(daemon.security());
                Bdt bdt = bdts.open(daemon.raw())) {
            assertThat(placed(bdt.findForUser(ALL, alice).orElseThrow()))
                    .containsExactly(true, true, true, true, false);
            assertThat(placed(bdt.findForUser(ALL, new BdtUser("carol", false)).orElseThrow()))
                    .containsExactly(false, true, true, false, false);
        }
    }
}
