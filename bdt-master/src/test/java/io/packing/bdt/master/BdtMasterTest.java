// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.Bdt;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.CommittedFile;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.FencedException;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Heartbeat;
import io.packing.bdt.HeartbeatReply;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.Placement;
import io.packing.bdt.PushedBlob;
import io.packing.bdt.Reclaim;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.WorkerSession;
import io.packing.blob.BlobExtent;
import io.packing.blob.BlobName;
import io.packing.blob.Codec;
import io.packing.blob.Extent;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BdtMasterTest {
    private static final DirectoryAttributes DIRECTORY = new DirectoryAttributes("u", "g", 0755);
    private static final FileAttributes FILE = new FileAttributes(10, 1_000, "u", "g", 0644);
    private static final BlobName BLOB = new BlobName("w", 1_000, 1);

    private final TestStores stores = new TestStores();

    @TempDir
    Path data;

    private BdtMaster master;
    private Bdt table;
    private WorkerSession session;

    @BeforeEach
    void start() throws IOException {
        master = BdtMaster.start(TestStores.config(data), stores);
        table = master.open(TestStores.MOUNT);
        session = table.register(new WorkerRegistration("w", "127.0.0.1:1"));
    }

    @AfterEach
    void stop() {
        master.kill();
    }

    @Test
    void claimedFileIsBufferedAtItsWorkerUntilItIsCommitted() throws IOException {
        FileVersion version = claim("/a/b/file");
        assertThat(locate("/a/b/file")).isEqualTo(new Placement.Buffered("w", "127.0.0.1:1"));

        commit(version, 1);
        assertThat(locate("/a/b/file")).isEqualTo(new Placement.Packed(extents(1)));
        assertThat(table.stat(new FilePath("/a")).orElseThrow().isDirectory()).isTrue();
        assertThat(table.statistics().packedBytes()).isEqualTo(10);
        assertThat(table.statistics().blobBytes()).isEqualTo(1_100);
    }

    @Test
    void claimingTheSameIdAgainAnswersTheSame() throws IOException {
        long id = session.newFileId();
        ClaimResult first = claim(session, id, "/f", true);
        assertThat(claim(session, id, "/f", true)).isEqualTo(first);
        assertThat(table.statistics().files()).isEqualTo(1);
    }

    @Test
    void claimsThatTheNamespaceForbidsAreRefusedWithTheReason() throws IOException {
        claim("/dir/file");
        assertThat(claim(session, session.newFileId(), "/dir", true))
                .isEqualTo(new ClaimResult.Refused(Outcome.IS_A_DIRECTORY));
        assertThat(claim(session, session.newFileId(), "/dir/file/x", true))
                .isEqualTo(new ClaimResult.Refused(Outcome.NOT_A_DIRECTORY));
        assertThat(claim(session, session.newFileId(), "/dir/file", false))
                .isEqualTo(new ClaimResult.Refused(Outcome.EXISTS));
        Claim orphan = new Claim(session.newFileId(), new FilePath("/none/x"), FILE, false, true);
        assertThat(session.claim(orphan).join()).isEqualTo(new ClaimResult.Refused(Outcome.NO_PARENT));
        assertThat(claim(session, session.newFileId(), "/", true))
                .isEqualTo(new ClaimResult.Refused(Outcome.IS_A_DIRECTORY));
    }

    @Test
    void lateCommitAfterDeleteOverwriteOrRenameNeverResurrects() throws IOException {
        FileVersion deleted = claim("/deleted");
        FileVersion overwritten = claim("/overwritten");
        FileVersion renamed = claim("/renamed");
        assertThat(table.delete(new FilePath("/deleted"), false)).isEqualTo(Outcome.DONE);
        FileVersion winner = claim("/overwritten");
        assertThat(table.rename(new FilePath("/renamed"), new FilePath("/elsewhere")))
                .isEqualTo(Outcome.DONE);

        List<Long> forget =
                session.heartbeat(new Heartbeat(0, 0, List.of(), List.of())).drop();
        commit(deleted, 1);
        commit(overwritten, 2);
        commit(renamed, 3);

        assertThat(forget).containsExactly(deleted.id(), overwritten.id());
        assertThat(table.stat(new FilePath("/deleted"))).isEmpty();
        assertThat(table.stat(new FilePath("/renamed"))).isEmpty();
        assertThat(locate("/elsewhere")).isEqualTo(new Placement.Packed(extents(3)));
        assertThat(table.locate(winner).orElseThrow().placement()).isInstanceOf(Placement.Buffered.class);
        assertThat(table.locate(deleted)).isEmpty();
        assertThat(table.locate(overwritten)).isEmpty();
        assertThat(table.statistics().deadBytes()).isEqualTo(1_100 - 10);
    }

    @Test
    void ofTwoWorkersClaimingOnePathTheLastWins() throws IOException {
        WorkerSession other = table.register(new WorkerRegistration("v", "127.0.0.1:2"));
        FileVersion first = claim("/same");
        ClaimResult second = claim(other, other.newFileId(), "/same", true);
        commit(first, 1);
        assertThat(second).isInstanceOf(ClaimResult.Granted.class);
        assertThat(locate("/same")).isEqualTo(new Placement.Buffered("v", "127.0.0.1:2"));
    }

    @Test
    void olderSessionOfAWorkerIsFenced() throws IOException {
        FileVersion version = claim("/kept");
        WorkerSession newer = table.register(new WorkerRegistration("w", "127.0.0.1:9"));
        assertThat(newer.sessionEpoch()).isGreaterThan(session.sessionEpoch());
        assertThatThrownBy(() -> claim(session, 5, "/x", true))
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(FencedException.class);
        assertThatThrownBy(() -> session.heartbeat(new Heartbeat(0, 0, List.of(), List.of())))
                .isInstanceOf(FencedException.class);
        assertThatThrownBy(() -> commit(version, 1)).isInstanceOf(FencedException.class);
    }

    @Test
    void claimsThatAReturningWorkerDoesNotReclaimAreLost() throws IOException {
        FileVersion kept = claim("/kept");
        FileVersion gone = claim("/gone");
        FileVersion deleted = claim("/deleted");
        assertThat(table.delete(new FilePath("/deleted"), false)).isEqualTo(Outcome.DONE);
        WorkerSession newer = table.register(new WorkerRegistration("w", "127.0.0.1:9"));
        assertThat(newer.reclaim(List.of(
                        new Reclaim(new FileVersion(kept.id(), 0), new FilePath("/kept"), FILE),
                        new Reclaim(deleted, new FilePath("/deleted"), FILE))))
                .containsExactly(Optional.of(kept), Optional.empty());
        newer.reclaimed();
        assertThat(locate("/kept")).isEqualTo(new Placement.Buffered("w", "127.0.0.1:9"));
        assertThat(locate("/gone")).isEqualTo(new Placement.Lost("w"));
        assertThat(table.stat(new FilePath("/gone")).orElseThrow().state()).isEqualTo(FileStatus.State.LOST);
        assertThat(gone.generation()).isGreaterThan(kept.generation());
    }

    @Test
    void renamesFollowTheRules() throws IOException {
        claim("/a/f");
        claim("/b/g");
        assertThat(rename("/none", "/x")).isEqualTo(Outcome.NOT_FOUND);
        assertThat(rename("/a", "/b")).isEqualTo(Outcome.EXISTS);
        assertThat(rename("/a", "/a/sub")).isEqualTo(Outcome.INVALID);
        assertThat(rename("/", "/x")).isEqualTo(Outcome.INVALID);
        assertThat(rename("/a", "/none/x")).isEqualTo(Outcome.NO_PARENT);
        assertThat(rename("/a", "/b/g/x")).isEqualTo(Outcome.NOT_A_DIRECTORY);
        assertThat(rename("/a", "/b/moved")).isEqualTo(Outcome.DONE);
        assertThat(table.stat(new FilePath("/b/moved/f"))).isPresent();
        assertThat(table.stat(new FilePath("/a/f"))).isEmpty();
    }

    @Test
    void recursiveDeleteHidesTheTreeAtOnceAndFreesItsBytesInTheBackground() throws IOException {
        for (int i = 0; i < 30; i++) {
            FileVersion version = claim("/tree/sub" + i % 3 + "/f" + i);
            commit(version, i);
        }
        assertThat(table.delete(new FilePath("/tree"), false)).isEqualTo(Outcome.NOT_EMPTY);
        assertThat(table.delete(new FilePath("/tree"), true)).isEqualTo(Outcome.DONE);
        assertThat(table.stat(new FilePath("/tree/sub1/f1"))).isEmpty();
        Mount mount = master.openMount(TestStores.MOUNT);
        while (mount.upkeep().reaper().step()) {
            assertThat(table.stat(new FilePath("/tree"))).isEmpty();
        }
        assertThat(table.statistics().files()).isZero();
        assertThat(table.statistics().packedBytes()).isZero();
        assertThat(table.statistics().deadBytes()).isEqualTo(table.statistics().blobBytes());
    }

    @Test
    void listingPagesInTheOrderOfUtf8WithHostileNames() throws IOException {
        List<String> names = new ArrayList<>(List.of(
                "a",
                "a b",
                "a%2f",
                "\u00e4",
                "\u6f22\u5b57",
                "\ud83d\ude00",
                "\uffee",
                "..a",
                "-",
                "x".repeat(FilePath.MAX_NAME_BYTES),
                "\t",
                "\"'\\"));
        for (String name : names) {
            claim(new FilePath("/d").child(name).value());
        }
        names.sort((a, b) ->
                Arrays.compareUnsigned(a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8)));
        List<String> seen = new ArrayList<>();
        String after = "";
        for (List<FileStatus> page = page(after); !page.isEmpty(); page = page(after)) {
            page.forEach(entry -> seen.add(entry.path().name()));
            after = seen.get(seen.size() - 1);
            claim("/d/\u0001" + seen.size());
        }
        assertThat(seen).isEqualTo(names);
        assertThat(table.list(new FilePath("/none"), "", 10)).isEmpty();
    }

    @Test
    void aNameThatNoHostCouldListIsRefusedByEachWayToMakeIt() throws IOException {
        claim("/d/f");
        FilePath long256 = new FilePath("/d").child("x".repeat(FilePath.MAX_NAME_BYTES + 1));
        FilePath below = long256.child("below");
        for (Operation each : List.of(
                new Operation.MakeDirectory(below, DIRECTORY, true),
                new Operation.Rename(new FilePath("/d/f"), long256, false),
                new Operation.Link(new FilePath("/d/f"), long256),
                new Operation.CloneDirectory(new FilePath("/d"), long256),
                new Operation.CloneFile(new FilePath("/d/f"), long256, false, AttributeChange.NONE))) {
            assertThatThrownBy(() -> table.apply(OperationVector.of(each)))
                    .as("%s", each)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("a name of 256 bytes, at most 255");
        }
        assertThat(claim(session, session.newFileId(), below.value(), true))
                .isEqualTo(new ClaimResult.Refused(Outcome.INVALID));
        assertThat(table.list(new FilePath("/d"), "", 10).orElseThrow()).hasSize(1);
    }

    @Test
    void everythingIsThereAfterAKill() throws IOException {
        FileVersion version = claim("/a/f");
        commit(version, 1);
        claim("/a/g");
        assertThat(rename("/a", "/b")).isEqualTo(Outcome.DONE);
        master.kill();
        master = BdtMaster.start(TestStores.config(data), stores);
        table = master.open(TestStores.MOUNT);
        assertThat(locate("/b/f")).isEqualTo(new Placement.Packed(extents(1)));
        assertThat(locate("/b/g")).isEqualTo(new Placement.Buffered("w", "127.0.0.1:1"));
        assertThat(table.statistics().files()).isEqualTo(2);
    }

    @Test
    void logBringsBackWhatTheStoreLostInAPowerFailure() throws IOException {
        claim("/before");
        Map<byte[], byte[]> early = stores.table().copy();
        FileVersion version = claim("/a/f");
        commit(version, 1);
        assertThat(table.delete(new FilePath("/before"), false)).isEqualTo(Outcome.DONE);
        master.kill();
        stores.table().reset(early);
        master = BdtMaster.start(TestStores.config(data), stores);
        table = master.open(TestStores.MOUNT);
        assertThat(locate("/a/f")).isEqualTo(new Placement.Packed(extents(1)));
        assertThat(table.stat(new FilePath("/before"))).isEmpty();
    }

    @Test
    void failingStoreStopsTheMountUntilARestartRepairsIt() throws IOException {
        stores.table().failNextWrite();
        assertThatThrownBy(() -> claim("/f")).hasRootCauseMessage("injected");
        assertThatIOException()
                .isThrownBy(() -> table.mkdir(new FilePath("/d"), DIRECTORY, false))
                .withMessageContaining("restart the master");
        master.kill();
        master = BdtMaster.start(TestStores.config(data), stores);
        table = master.open(TestStores.MOUNT);
        assertThat(table.mkdir(new FilePath("/d"), DIRECTORY, false)).isEqualTo(Outcome.DONE);
    }

    @Test
    void secondMasterOnTheSameDirectoryIsRefused() {
        assertThatIOException()
                .isThrownBy(() -> BdtMaster.start(TestStores.config(data), stores))
                .withMessageContaining("in use");
    }

    @Test
    void mountWithoutAStoreOrWithABadOptionIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> master.open(Map.of()))
                .withMessageContaining("packing.store");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> master.open(Map.of("packing.store", "map:", "packing.durability", "maybe")))
                .withMessageContaining("packing.durability");
    }

    private FileVersion claim(String path) throws IOException {
        return ((ClaimResult.Granted) claim(session, session.newFileId(), path, true)).version();
    }

    private static ClaimResult claim(WorkerSession session, long id, String path, boolean overwrite) {
        return session.claim(new Claim(id, new FilePath(path), FILE, true, overwrite))
                .join();
    }

    private void commit(FileVersion version, int number) throws IOException {
        HeartbeatReply reply = session.heartbeat(new Heartbeat(
                0, 0, List.of(new PushedBlob(BLOB, 1_100)), List.of(new CommittedFile(version, extents(number)))));
        assertThat(reply.lease()).isPositive();
    }

    private static List<BlobExtent> extents(int number) {
        return List.of(
                new BlobExtent(BLOB, new Extent(0, 10, 16 + 10L * number, 10, Codec.NONE, 0x8000_0000 + number)));
    }

    private Placement locate(String path) throws IOException {
        return table.locate(new FilePath(path)).orElseThrow().placement();
    }

    private Outcome rename(String from, String to) throws IOException {
        return table.rename(new FilePath(from), new FilePath(to));
    }

    private List<FileStatus> page(String after) throws IOException {
        return table.list(new FilePath("/d"), after, 3).orElseThrow();
    }
}
