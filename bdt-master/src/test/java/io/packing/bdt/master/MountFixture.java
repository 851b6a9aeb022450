// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.hash.HashCode;
import com.google.common.hash.Hashing;
import io.packing.bdt.Bdt;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.CommittedFile;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Heartbeat;
import io.packing.bdt.HeartbeatReply;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Outcome;
import io.packing.bdt.Placement;
import io.packing.bdt.PushedBlob;
import io.packing.bdt.Reclaim;
import io.packing.bdt.WantedContent;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.WorkerSession;
import io.packing.bdt.master.table.change.HeldRecount;
import io.packing.bdt.master.table.row.BlobRow;
import io.packing.bdt.master.table.row.Keys;
import io.packing.blob.BlobExtent;
import io.packing.blob.BlobName;
import io.packing.blob.BlobWriter;
import io.packing.blob.Codec;
import io.packing.blob.Extent;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
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
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** One mount of one master over stores in memory, and a worker that claims, packs, pushes and commits. */
abstract class MountFixture {
    static final DirectoryAttributes DIRECTORY = new DirectoryAttributes("u", "g", 0755);

    final TestStores stores = new TestStores();

    @TempDir
    Path data;

    @TempDir
    Path work;

    BdtMaster master;
    Bdt table;
    WorkerSession session;
    /** The heartbeats sent to the master, to send again. */
    final List<Heartbeat> commits = new ArrayList<>();

    Optional<PushedBlob> lastPushed = Optional.empty();
    long timestamp = 1;
    /** Claimed, not pushed, in order. */
    final List<Reclaim> buffered = new ArrayList<>();

    /** Starts a master over the stores of this test. */
    BdtMaster start(BdtMasterOptions config) throws IOException {
        return BdtMaster.start(config, stores);
    }

    /** Returns the options of the mount. */
    Map<String, String> mountOptions() {
        return TestStores.MOUNT;
    }

    @BeforeEach
    void start() throws IOException {
        master = start(TestStores.config(data));
        table = master.open(mountOptions());
        session = table.register(new WorkerRegistration("w", "127.0.0.1:1"));
    }

    @AfterEach
    void stop() throws IOException {
        try {
            checkHeldFiles(master);
        } finally {
            master.kill();
        }
    }

    /** Fails unless each mount counts right what its workers hold. */
    static void checkHeldFiles(BdtMaster master) throws IOException {
        for (Mount mount : master.mounts()) {
            if (!mount.writer().isTaking()) {
                continue;
            }
            try {
                mount.writer().freeze();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            try {
                HeldRecount.check(mount.table());
            } finally {
                mount.writer().thaw();
            }
        }
    }

    final Map<Long, List<BlobExtent>> pushed = new TreeMap<>();

    void claim(String path) throws IOException {
        assertThat(tryClaim(path)).isTrue();
    }

    boolean tryClaim(String path) throws IOException {
        long id = session.newFileId();
        FileAttributes attributes = new FileAttributes(id % 3 == 0 ? 0 : 8, id, "u", "g", 0644);
        ClaimResult result = session.claim(new Claim(id, new FilePath(path), attributes, true, true))
                .join();
        if (result instanceof ClaimResult.Granted granted) {
            buffered.add(new Reclaim(granted.version(), new FilePath(path), attributes));
            return true;
        }
        return false;
    }

    /** A claim whose worker tells the hash of the bytes. */
    static Claim hashed(long id, FilePath path, byte[] bytes) {
        FileAttributes attributes = new FileAttributes(bytes.length, 0, "u", "g", 0644);
        HashCode hash = Hashing.sha256().hashBytes(bytes);
        return new Claim(id, path, attributes, true, true, false, Optional.of(hash), false);
    }

    /** Claims a file without its bytes, if the table has them; empty: it has not. */
    Optional<ClaimResult> share(Claim claim) throws IOException {
        boolean known = claim.attributes().length() > 0
                && session.known(List.of(new WantedContent(claim.sha256().orElseThrow(), claim.user())))
                        .get(0);
        if (!known) {
            return Optional.empty();
        }
        ClaimResult result = session.claim(claim.sharing()).join();
        // Upkeep may have given up a part of the content since, which no file had.
        return Optional.of(result).filter(each -> !each.equals(new ClaimResult.Refused(Outcome.UNKNOWN_CONTENT)));
    }

    /** Deletes a path that may be absent, and checks the answer against the table. */
    void tryDelete(FilePath path, boolean recursive) throws IOException {
        boolean there = table.stat(path).isPresent();
        Outcome outcome = table.delete(path, recursive);
        assertThat(table.stat(path).isPresent())
                .as("%s: %s", path, outcome)
                .isEqualTo(there && outcome != Outcome.DONE);
    }

    /** Renames a path that may be absent, and checks the answer against the table. */
    void tryRename(FilePath from, FilePath to) throws IOException {
        boolean there = table.stat(from).isPresent();
        Outcome outcome = table.rename(from, to);
        if (!from.equals(to)) {
            String what = "%s to %s: %s".formatted(from, to, outcome);
            assertThat(table.stat(from).isPresent()).as(what).isEqualTo(there && outcome != Outcome.DONE);
            assertThat(table.stat(to).isPresent() || outcome != Outcome.DONE)
                    .as(what)
                    .isTrue();
        }
    }

    /** Makes a directory at a path that may exist, and checks the answer against the table. */
    void tryMakeDirectory(FilePath path) throws IOException {
        Optional<Boolean> before = table.stat(path).map(FileStatus::isDirectory);
        Outcome outcome = table.mkdir(path, DIRECTORY, true);
        assertThat(table.stat(path).map(FileStatus::isDirectory))
                .as("%s: %s", path, outcome)
                .isEqualTo(outcome == Outcome.DONE ? Optional.of(true) : before);
    }

    /** Packs everything buffered into one blob, pushes it, and commits it when asked. */
    void push(boolean commit) throws IOException {
        push("w", session, commit);
    }

    /** Packs everything buffered into one blob of a worker, pushes it, and commits it when asked. */
    void push(String worker, WorkerSession by, boolean commit) throws IOException {
        Path file = Files.createTempFile(work, "blob", "");
        List<PackedFile> packed = new ArrayList<>();
        FinishedBlob finished;
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.READ)) {
            BlobWriter writer = new BlobWriter(channel, Codec.NONE);
            for (Reclaim r : buffered) {
                List<Extent> extents = r.attributes().length() == 0
                        ? List.<Extent>of()
                        : List.of(writer.append(
                                0, ByteBuffer.allocate(8).putLong(0, r.version().id())));
                packed.add(new PackedFile(r.version(), r.path(), r.attributes(), extents));
            }
            finished = writer.finish(packed);
        }
        BlobName name = new BlobName(worker, finished.footerOffset(), timestamp++);
        stores.objects.put("blobs/" + name.key(), file, PutCondition.NONE);
        PushedBlob blob = new PushedBlob(name, finished.length());
        lastPushed = Optional.of(blob);
        List<CommittedFile> committed = new ArrayList<>();
        for (PackedFile f : packed) {
            List<BlobExtent> extents =
                    f.extents().stream().map(e -> new BlobExtent(name, e)).toList();
            pushed.put(f.version().id(), extents);
            committed.add(new CommittedFile(f.version(), extents));
        }
        buffered.clear();
        if (commit) {
            commits.add(new Heartbeat(0, 0, List.of(blob), committed));
            HeartbeatReply reply = by.heartbeat(commits.get(commits.size() - 1));
            assertThat(reply.sealNow()).isFalse();
        }
    }

    /** Reports the newest blob as complete, without its files. */
    void reportBlobOnly() throws IOException {
        HeartbeatReply reply = session.heartbeat(new Heartbeat(0, 0, List.of(lastPushed.orElseThrow()), List.of()));
        assertThat(reply.sealNow()).isFalse();
    }

    /** The master dies, and starts again with its own disk. */
    void crashMaster() throws IOException {
        checkHeldFiles(master);
        master.kill();
        master = start(TestStores.config(data));
        table = master.open(mountOptions());
    }

    void loseMaster() throws IOException {
        checkHeldFiles(master);
        master.kill();
        stores.dropTables();
        GrpcMasterTest.deleteAll(data);
        master = start(TestStores.config(data).takingOver());
        table = master.open(mountOptions());
        session = table.register(new WorkerRegistration("w", "127.0.0.1:1"));
        buffered.clear();
    }

    /** Files whose bytes are pushed, committed or not, and where. */
    Map<String, String> pushedNames() throws IOException {
        Map<String, String> result = new TreeMap<>();
        names().forEach((path, status) -> {
            if (!status.isDirectory() && pushed.containsKey(status.version().id())) {
                result.put(
                        path,
                        status.version() + " " + pushed.get(status.version().id()));
            }
        });
        return result;
    }

    Map<String, String> files() throws IOException {
        Map<String, String> result = new TreeMap<>();
        for (FileStatus status : names().values()) {
            if (status.state() == FileStatus.State.PACKED) {
                LocatedFile file = table.locate(status.path()).orElseThrow();
                result.put(
                        status.path().value(),
                        status.version() + " " + ((Placement.Packed) file.placement()).extents());
            }
        }
        return result;
    }

    Map<String, FileStatus> names() throws IOException {
        Map<String, FileStatus> found = new TreeMap<>();
        list(FilePath.ROOT, found);
        return found;
    }

    void list(FilePath directory, Map<String, FileStatus> into) throws IOException {
        for (FileStatus entry : table.list(directory, "", 1_000).orElseThrow()) {
            into.put(entry.path().value(), entry);
            if (entry.isDirectory()) {
                list(entry.path(), into);
            }
        }
    }

    boolean packed(String path) throws IOException {
        return table.locate(new FilePath(path)).orElseThrow().placement() instanceof Placement.Packed;
    }

    /** Removes what is below deleted directories. */
    void removeDeletedTrees() throws IOException {
        while (rowsOf(Keys.REAP) > 0) {
            if (!master.openMount(TestStores.MOUNT).upkeep().step()) {
                Thread.onSpinWait();
            }
        }
    }

    /** Waits until the writer counts all that it has written: rows are there a moment before. */
    void awaitStatistics() throws IOException {
        assertThat(table.delete(new FilePath("/nothing"), false)).isEqualTo(Outcome.NOT_FOUND);
    }

    /** Sums the bytes of files in blobs, and sees that the table's dead bytes are those of all blobs. */
    long liveBytes() throws IOException {
        awaitStatistics();
        long[] live = new long[1];
        long[] dead = new long[1];
        master.openMount(TestStores.MOUNT)
                .table()
                .rows()
                .scan(Keys.kind(Keys.BLOB), Keys.kindEnd(Keys.BLOB), (key, value) -> {
                    BlobRow row = BlobRow.decode(value);
                    live[0] += row.live();
                    dead[0] += row.dead();
                    return true;
                });
        assertThat(table.statistics().deadBytes()).isEqualTo(dead[0]);
        return live[0];
    }

    /** Rows of a kind that the table has. */
    int rowsOf(byte kind) throws IOException {
        int[] count = new int[1];
        master.openMount(TestStores.MOUNT).table().rows().scan(Keys.kind(kind), Keys.kindEnd(kind), (key, value) -> {
            count[0]++;
            return true;
        });
        return count[0];
    }
}
