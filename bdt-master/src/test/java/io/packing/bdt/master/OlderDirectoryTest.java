// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.CommittedFile;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Heartbeat;
import io.packing.bdt.HeartbeatReply;
import io.packing.bdt.Outcome;
import io.packing.bdt.PushedBlob;
import io.packing.bdt.Reclaim;
import io.packing.bdt.SessionExpiredException;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.WorkerSession;
import io.packing.bdt.master.table.Waiting;
import io.packing.bdt.master.table.row.SessionId;
import io.packing.blob.BlobExtent;
import io.packing.blob.BlobName;
import io.packing.blob.BlobWriter;
import io.packing.blob.Codec;
import io.packing.blob.Extent;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.blob.FinishedBlob;
import io.packing.blob.PackedFile;
import io.packing.store.PutCondition;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** An older copy of the master's directory that is put back takes nothing away, and no number is given out twice. */
class OlderDirectoryTest extends MountFixture {
    private int copies;

    private DirectoryCopy copy() throws IOException {
        return DirectoryCopy.of(stores, data, work.resolve("copy-" + copies++));
    }

    /** The master dies, and starts again on an older state of its directory. */
    private void goBackTo(DirectoryCopy older) throws IOException {
        master.kill();
        older.putBack(data);
        start(data);
    }

    private void start(Path directory) throws IOException {
        master = BdtMaster.start(TestStores.config(directory), stores);
        table = master.open(TestStores.MOUNT);
    }

    private FileVersion granted(WorkerSession by, String path) throws IOException {
        FileAttributes attributes = new FileAttributes(8, 1, "u", "g", 0644);
        ClaimResult result = by.claim(new Claim(by.newFileId(), new FilePath(path), attributes, true, true))
                .join();
        FileVersion version = ((ClaimResult.Granted) result).version();
        buffered.add(new Reclaim(version, new FilePath(path), attributes));
        return version;
    }

    /** Sends a report of a session of before to the master that is there now. */
    private void beat(String worker, WorkerSession before, Heartbeat heartbeat) throws IOException {
        HeartbeatReply unused = Waiting.on(master.openMount(TestStores.MOUNT)
                .table()
                .heartbeat(new SessionId(worker, before.sessionEpoch()), heartbeat));
    }

    private static Heartbeat knowing(FileVersion newest) {
        return new Heartbeat(1, 8, List.of(), List.of()).knowing(newest.generation());
    }

    private Heartbeat reporting(Reclaim file) {
        long id = file.version().id();
        return new Heartbeat(
                0,
                0,
                List.of(lastPushed.orElseThrow()),
                List.of(new CommittedFile(file.version(), Objects.requireNonNull(pushed.get(id)))));
    }

    private WorkerSession register(String worker) throws IOException {
        return table.register(new WorkerRegistration(worker, "127.0.0.1:1"));
    }

    @Test
    void filesThatWerePushedAfterTheCopyAreThere() throws IOException {
        claim("/a/before");
        push(true);
        DirectoryCopy older = copy();
        for (int i = 0; i < 70; i++) {
            claim("/a/after" + i);
        }
        push(true);
        Map<String, String> expected = files();
        assertThat(expected).hasSize(71);
        goBackTo(older);
        assertThat(files()).isEqualTo(expected);
    }

    @Test
    void filesThatWereCommittedAfterTheCopyAreFoundInTheStore() throws IOException {
        claim("/a/f");
        DirectoryCopy older = copy();
        push(true);
        goBackTo(older);
        awaitStatistics();
        assertThat(packed("/a/f")).isTrue();
    }

    /** The version is older than the copy, which has it from before the loss of the disk: the store shows nothing newer. */
    @Test
    void aFileThatCameBackAfterALossOfTheDiskIsFoundInTheStore() throws IOException {
        claim("/a/f");
        List<Reclaim> held = List.copyOf(buffered);
        loseMaster();
        DirectoryCopy older = copy();
        assertThat(session.reclaim(held))
                .containsExactly(Optional.of(held.get(0).version()));
        session.reclaimed();
        buffered.addAll(held);
        push(true);
        goBackTo(older);
        awaitStatistics();
        assertThat(packed("/a/f")).isTrue();
        assertThat(table.stat(new FilePath("/a/f")).orElseThrow().version())
                .isEqualTo(held.get(0).version());
    }

    /** The blob was pushed before the loss of the disk, and what it has was deleted since: nothing brings it back. */
    @Test
    void aFileThatWasDeletedAfterItCameBackStaysDeleted() throws IOException {
        claim("/a/f");
        claim("/a/other");
        List<Reclaim> held = List.copyOf(buffered);
        loseMaster();
        assertThat(session.reclaim(held)).hasSize(2).allMatch(Optional::isPresent);
        session.reclaimed();
        assertThat(table.delete(new FilePath("/a/f"), false)).isEqualTo(Outcome.DONE);
        DirectoryCopy older = copy();
        buffered.addAll(held);
        push(false);
        goBackTo(older);
        awaitStatistics();
        assertThat(names()).containsOnlyKeys("/a", "/a/other");
        assertThat(packed("/a/other")).isTrue();
    }

    /** Pushes one part of a file in a blob of its own. */
    private PushedBlob pushPart(Reclaim file, long offset, byte[] bytes, List<BlobExtent> into) throws IOException {
        Path part = Files.createTempFile(work, "part", "");
        try (FileChannel channel = FileChannel.open(part, StandardOpenOption.WRITE, StandardOpenOption.READ)) {
            BlobWriter writer = new BlobWriter(channel, Codec.NONE);
            Extent extent = writer.append(offset, ByteBuffer.wrap(bytes));
            FinishedBlob finished = writer.finish(
                    List.of(new PackedFile(file.version(), file.path(), file.attributes(), List.of(extent))));
            BlobName name = new BlobName("w", finished.footerOffset(), timestamp++);
            stores.objects.put("blobs/" + name.key(), part, PutCondition.NONE);
            into.add(new BlobExtent(name, extent));
            return new PushedBlob(name, finished.length());
        }
    }

    @Test
    void aLargeFileWhosePartsAreInSeveralBlobsIsFoundInTheStore() throws IOException {
        FileVersion version = granted(session, "/large");
        Reclaim file = buffered.remove(0);
        List<BlobExtent> extents = new ArrayList<>();
        // As workers do, the first blob is reported with the last one.
        PushedBlob first = pushPart(file, 0, new byte[5], extents);
        DirectoryCopy older = copy();
        PushedBlob last = pushPart(file, 5, new byte[3], extents);
        HeartbeatReply unused = session.heartbeat(
                new Heartbeat(0, 0, List.of(first, last), List.of(new CommittedFile(version, extents))));
        goBackTo(older);
        awaitStatistics();
        assertThat(packed("/large")).isTrue();
    }

    @Test
    void filesThatWereCommittedBeforeACleanStopAreFoundInTheStore() throws IOException {
        claim("/a/f");
        DirectoryCopy older = copy();
        push(true);
        master.close();
        older.putBack(data);
        start(data);
        awaitStatistics();
        assertThat(packed("/a/f")).isTrue();
    }

    @Test
    void namesThatWereDeletedAfterTheCopyStayDeleted() throws IOException {
        claim("/a/kept");
        claim("/a/gone");
        push(true);
        DirectoryCopy older = copy();
        assertThat(table.delete(new FilePath("/a/gone"), false)).isEqualTo(Outcome.DONE);
        master.openMount(TestStores.MOUNT).upkeep().uploadJournalNow();
        goBackTo(older);
        assertThat(names()).containsOnlyKeys("/a", "/a/kept");
    }

    @Test
    void aBackupThatIsNewerThanTheTableIsBelieved() throws IOException {
        claim("/a/kept");
        claim("/a/gone");
        push(true);
        DirectoryCopy older = copy();
        assertThat(table.delete(new FilePath("/a/gone"), false)).isEqualTo(Outcome.DONE);
        table.checkpoint();
        table.checkpoint();
        goBackTo(older);
        assertThat(names()).containsOnlyKeys("/a", "/a/kept");
    }

    @Test
    void noIdAndNoGenerationIsGivenOutTwice() throws IOException {
        claim("/before");
        DirectoryCopy older = copy();
        FileVersion first = granted(session, "/x");
        goBackTo(older);
        FileVersion second = granted(register("other"), "/y");
        assertThat(second.id()).isGreaterThan(first.id());
        assertThat(second.generation()).isGreaterThan(first.generation());
    }

    @Test
    void aWorkerThatWasAnsweredMoreThanTheTableKnowsBringsItBack() throws IOException {
        claim("/before");
        DirectoryCopy older = copy();
        FileVersion late = granted(session, "/late");
        goBackTo(older);
        assertThatThrownBy(() -> beat("w", session, knowing(late)))
                .isInstanceOf(SessionExpiredException.class)
                .hasMessageContaining("older");
        WorkerSession again = register("w");
        assertThat(again.reclaim(buffered)).contains(Optional.of(late));
        again.reclaimed();
        assertThat(table.stat(new FilePath("/late")).orElseThrow().version()).isEqualTo(late);
        assertThat(table.stat(new FilePath("/before")).orElseThrow().state()).isEqualTo(FileStatus.State.BUFFERED);
    }

    @Test
    void aWorkerThatRegisteredAfterTheCopyBringsItsFilesBack() throws IOException {
        DirectoryCopy older = copy();
        WorkerSession young = register("young");
        FileVersion late = granted(young, "/late");
        goBackTo(older);
        assertThatThrownBy(() -> beat("young", young, knowing(late))).isInstanceOf(SessionExpiredException.class);
        WorkerSession again = register("young");
        assertThat(again.reclaim(buffered)).containsExactly(Optional.of(late));
        assertThat(names()).containsOnlyKeys("/late");
    }

    @Test
    void whatAWorkerReportsAsPushedIsNeverTakenForDeadWhenTheTableIsOlder() throws IOException {
        DirectoryCopy older = copy();
        claim("/late");
        List<Reclaim> held = List.copyOf(buffered);
        push(false);
        String blob = stores.objects.keys("blobs/").get(0);
        byte[] bytes = stores.objects.bytes(blob).clone();
        stores.objects.delete(List.of(blob));
        goBackTo(older);
        stores.objects.put(blob, ByteBuffer.wrap(bytes), PutCondition.NONE);
        assertThatThrownBy(() -> beat("w", session, reporting(held.get(0))))
                .isInstanceOf(SessionExpiredException.class);
        session = register("w");
        assertThat(session.reclaim(held))
                .containsExactly(Optional.of(held.get(0).version()));
        assertThat(names()).containsOnlyKeys("/late");
    }

    @Test
    void anOrdinaryCrashKeepsSessionsAndWhatWasNotUploaded() throws IOException {
        claim("/a/f");
        assertThat(table.mkdir(new FilePath("/d"), DIRECTORY, false)).isEqualTo(Outcome.DONE);
        crashMaster();
        Reclaim file = buffered.get(0);
        push(false);
        beat("w", session, reporting(file));
        assertThat(names()).containsOnlyKeys("/a", "/a/f", "/d");
        assertThat(packed("/a/f")).isTrue();
    }

    @Test
    void aFileThatWasOverBeforeAnOrdinaryCrashStaysOver() throws IOException {
        FileVersion known = granted(session, "/f");
        FileVersion gone = granted(session, "/g");
        assertThat(table.delete(new FilePath("/g"), false)).isEqualTo(Outcome.DONE);
        List<Reclaim> held = List.copyOf(buffered);
        crashMaster();
        session = register("w");
        assertThat(session.reclaim(held)).containsExactly(Optional.of(known), Optional.empty());
        Reclaim undated = new Reclaim(
                new FileVersion(gone.id(), 0), held.get(1).path(), held.get(1).attributes());
        assertThat(session.reclaim(List.of(undated))).containsExactly(Optional.empty());
        assertThat(names()).containsOnlyKeys("/f");
    }

    @Test
    void aStopAndAStartGoOnWithTheNextNumbers() throws IOException {
        FileVersion before = granted(session, "/f");
        master.close();
        start(data);
        FileVersion after = granted(register("w"), "/g");
        assertThat(after.generation() - before.generation()).isLessThan(100);
        assertThat(after.id() - before.id()).isLessThan(100_000);
    }

    @Test
    void aCopyFromBeforeTheLastStartIsFoundOutThoughNothingWasUploaded() throws IOException {
        claim("/before");
        master.close();
        DirectoryCopy older = copy();
        start(data);
        session = register("w");
        FileVersion late = granted(session, "/late");
        master.kill();
        older.putBack(data);
        master = BdtMaster.start(TestStores.config(data).takingOver(), stores);
        table = master.open(TestStores.MOUNT);
        assertThatThrownBy(() -> beat("w", session, knowing(late))).isInstanceOf(SessionExpiredException.class);
        WorkerSession again = register("w");
        assertThat(again.reclaim(buffered)).contains(Optional.of(late));
        assertThat(names()).containsKeys("/before", "/late");
    }

    @Test
    void theOlderTableIsKeptForTheOperator() throws IOException {
        claim("/before");
        push(true);
        DirectoryCopy older = copy();
        claim("/after");
        push(true);
        goBackTo(older);
        String mount = master.openMount(TestStores.MOUNT).id();
        assertThat(data.resolve(mount + "@older").resolve("ready")).exists();
        assertThat(names()).containsOnlyKeys("/before", "/after");
    }
}
