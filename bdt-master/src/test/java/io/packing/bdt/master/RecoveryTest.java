package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.BlobDirectory;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.CommittedFile;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.FencedException;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Heartbeat;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Outcome;
import io.packing.bdt.Placement;
import io.packing.bdt.PushedBlob;
import io.packing.bdt.Reclaim;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.WorkerSession;
import io.packing.blob.BlobExtent;
import io.packing.blob.BlobName;
import io.packing.blob.BlobWriter;
import io.packing.blob.Codec;
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
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What was pushed comes back from the backing store alone. */
class RecoveryTest {
    private static final DirectoryAttributes DIRECTORY = new DirectoryAttributes("u", "g", 0755);

    private final TestStores stores = new TestStores();

    @TempDir
    Path data;

    @TempDir
    Path work;

    private BdtMaster master;
    private BlobDirectory table;
    private WorkerSession session;
    private long timestamp = 1;
    /** Claimed, not pushed, in order. */
    private final List<Reclaim> buffered = new ArrayList<>();

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
    void pushedFilesComeBackFromFootersAlone() throws IOException {
        claim("/a/f");
        claim("/a/g");
        push(true);
        claim("/a/unpushed");
        loseMaster();
        assertThat(names()).containsOnlyKeys("/a", "/a/f", "/a/g");
        assertThat(packed("/a/f")).isTrue();
    }

    @Test
    void blobThatWasPushedAndNeverCommittedIsFound() throws IOException {
        claim("/a/f");
        table.checkpoint();
        push(false);
        loseMaster();
        assertThat(packed("/a/f")).isTrue();
    }

    @Test
    void journalledDeleteAndRenameHoldAgainstFooters() throws IOException {
        claim("/a/f");
        claim("/a/g");
        claim("/gone");
        push(true);
        assertThat(table.delete(new FilePath("/gone"), false)).isEqualTo(Outcome.DONE);
        assertThat(table.rename(new FilePath("/a"), new FilePath("/b"))).isEqualTo(Outcome.DONE);
        table.checkpoint();
        loseMaster();
        assertThat(names()).containsOnlyKeys("/b", "/b/f", "/b/g");
    }

    @Test
    void damagedBackupFallsBackToTheOneBefore() throws IOException {
        claim("/a/f");
        push(true);
        table.checkpoint();
        claim("/a/g");
        push(true);
        assertThat(table.rename(new FilePath("/a"), new FilePath("/b"))).isEqualTo(Outcome.DONE);
        table.checkpoint();
        List<String> backups = stores.objects.keys("bdt/backup-");
        assertThat(backups).hasSize(2);
        stores.objects.damage(backups.get(1));
        loseMaster();
        assertThat(names()).containsOnlyKeys("/b", "/b/f", "/b/g");
    }

    @Test
    void ingestAloneCostsNoUploads() throws IOException {
        int before = stores.objects.puts();
        for (int i = 0; i < 100; i++) {
            claim("/d" + i % 7 + "/f" + i);
        }
        push(true);
        Mount mount = master.openMount(TestStores.MOUNT);
        assertThat(mount.upkeep().step()).isFalse();
        assertThat(stores.objects.puts()).isEqualTo(before + 1);
    }

    @Test
    void olderMasterIsFencedWhenANewerOneTookTheMountOver() throws IOException {
        claim("/a/f");
        stores.objects.put(MasterObject.epoch(2).key(), ByteBuffer.allocate(1), PutCondition.IF_ABSENT);
        assertThatThrownBy(() -> table.checkpoint()).isInstanceOf(FencedException.class);
        assertThatThrownBy(() -> table.mkdir(new FilePath("/x"), DIRECTORY, false))
                .isInstanceOf(FencedException.class);
        assertThat(stores.objects.keys("bdt/backup-")).isEmpty();
    }

    @Test
    void workerReclaimsWhatItBuffersAfterARecovery() throws IOException {
        claim("/a/kept");
        claim("/a/gone");
        assertThat(table.rename(new FilePath("/a"), new FilePath("/b"))).isEqualTo(Outcome.DONE);
        assertThat(table.delete(new FilePath("/b/gone"), false)).isEqualTo(Outcome.DONE);
        master.openMount(TestStores.MOUNT).upkeep().uploadJournalNow();
        List<Reclaim> held = List.copyOf(buffered);
        loseMaster();
        List<Optional<FileVersion>> answers = session.reclaim(held);
        session.reclaimed();
        assertThat(answers).containsExactly(Optional.of(held.get(0).version()), Optional.empty());
        assertThat(table.stat(new FilePath("/b/kept")).orElseThrow().state()).isEqualTo(FileStatus.State.BUFFERED);
        assertThat(names()).containsOnlyKeys("/b", "/b/kept");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void randomWorkloadComesBackAfterTheMastersDiskIsLost(long seed) throws IOException {
        Random random = new Random(seed);
        for (int round = 0; round < 4; round++) {
            for (int i = 0; i < 60; i++) {
                step(random);
            }
            push(random.nextBoolean());
            // What was not uploaded may be lost; with it uploaded the result is exact.
            if (random.nextBoolean()) {
                table.checkpoint();
            } else {
                master.openMount(TestStores.MOUNT).upkeep().uploadJournalNow();
            }
            if (random.nextBoolean()) {
                claim("/late" + round);
                push(random.nextBoolean());
            }
            Map<String, String> expected = pushedNames();
            loseMaster();
            assertThat(files()).as("seed %d round %d", seed, round).isEqualTo(expected);
        }
    }

    private final Map<Long, List<BlobExtent>> pushed = new TreeMap<>();

    private void step(Random random) throws IOException {
        String path = path(random);
        switch (random.nextInt(12)) {
            case 0, 1, 2, 3, 4, 5 -> tryClaim(path);
            case 6 -> push(random.nextInt(4) > 0);
            case 7 ->
                assertThat(table.delete(new FilePath(path), random.nextBoolean()))
                        .isNotNull();
            case 8, 9 ->
                assertThat(table.rename(new FilePath(path), new FilePath(path(random))))
                        .isNotNull();
            case 10 ->
                assertThat(table.mkdir(new FilePath(path), DIRECTORY, true)).isNotNull();
            default -> {
                if (random.nextInt(4) == 0) {
                    table.checkpoint();
                }
            }
        }
    }

    private static String path(Random random) {
        StringBuilder path = new StringBuilder();
        for (int depth = random.nextInt(3); depth >= 0; depth--) {
            path.append('/').append((char) ('a' + random.nextInt(4)));
        }
        return path.toString();
    }

    private void claim(String path) throws IOException {
        assertThat(tryClaim(path)).isTrue();
    }

    private boolean tryClaim(String path) throws IOException {
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

    /** Packs everything buffered into one blob, pushes it, and commits it when asked. */
    private void push(boolean commit) throws IOException {
        Path file = Files.createTempFile(work, "blob", "");
        List<PackedFile> packed = new ArrayList<>();
        FinishedBlob finished;
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.READ)) {
            BlobWriter writer = new BlobWriter(channel, Codec.NONE);
            for (Reclaim r : buffered) {
                var extents = r.attributes().length() == 0
                        ? List.<io.packing.blob.Extent>of()
                        : List.of(writer.append(
                                0, ByteBuffer.allocate(8).putLong(0, r.version().id())));
                packed.add(new PackedFile(r.version(), r.path(), r.attributes(), extents));
            }
            finished = writer.finish(packed);
        }
        BlobName name = new BlobName("w", finished.footerOffset(), timestamp++);
        stores.objects.put("blobs/" + name.key(), file, PutCondition.NONE);
        List<CommittedFile> committed = new ArrayList<>();
        for (PackedFile f : packed) {
            List<BlobExtent> extents =
                    f.extents().stream().map(e -> new BlobExtent(name, e)).toList();
            pushed.put(f.version().id(), extents);
            committed.add(new CommittedFile(f.version(), extents));
        }
        buffered.clear();
        if (commit) {
            var reply =
                    session.heartbeat(new Heartbeat(0, 0, List.of(new PushedBlob(name, finished.length())), committed));
            assertThat(reply.sealNow()).isFalse();
        }
    }

    private void loseMaster() throws IOException {
        master.kill();
        stores.dropTables();
        GrpcMasterTest.deleteAll(data);
        master = BdtMaster.start(TestStores.config(data), stores);
        table = master.open(TestStores.MOUNT);
        session = table.register(new WorkerRegistration("w", "127.0.0.1:1"));
        buffered.clear();
    }

    /** Files whose bytes are pushed, committed or not, and where. */
    private Map<String, String> pushedNames() throws IOException {
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

    private Map<String, String> files() throws IOException {
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

    private Map<String, FileStatus> names() throws IOException {
        Map<String, FileStatus> found = new TreeMap<>();
        list(FilePath.ROOT, found);
        return found;
    }

    private void list(FilePath directory, Map<String, FileStatus> into) throws IOException {
        for (FileStatus entry : table.list(directory, "", 1_000).orElseThrow()) {
            into.put(entry.path().value(), entry);
            if (entry.isDirectory()) {
                list(entry.path(), into);
            }
        }
    }

    private boolean packed(String path) throws IOException {
        return table.locate(new FilePath(path)).orElseThrow().placement() instanceof Placement.Packed;
    }
}
