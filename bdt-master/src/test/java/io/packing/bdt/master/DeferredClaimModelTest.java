// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.CommittedFile;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Heartbeat;
import io.packing.bdt.Outcome;
import io.packing.bdt.PushedBlob;
import io.packing.bdt.Reclaim;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.master.table.row.Keys;
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
import io.packing.seed.Seed;
import io.packing.store.PutCondition;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

/**
 * Random overwrites, deletes, renames, losses and recoveries against a replay of all that was done, in the order of the log.
 * Committed claims, whose writers have their answer, are in every replay; waiting ones are in none. Repeat a run with
 * {@code -Dpacking.seed=N}.
 */
class DeferredClaimModelTest extends MountFixture {
    private static final int STEPS = 250;

    /** Something that was done to the namespace. */
    private sealed interface Event {}

    /** @param waits whether it replaces what is there only when it is committed */
    private record Claimed(String path, FileVersion version, FileAttributes attributes, boolean waits)
            implements Event {}

    private record Deleted(String path) implements Event {}

    private record Renamed(String from, String to) implements Event {}

    private final List<Event> done = new ArrayList<>();
    private final Set<Long> committed = new HashSet<>();
    /** In the worker's buffer. */
    private final List<Claimed> held = new ArrayList<>();

    private final List<Heartbeat> unreported = new ArrayList<>();
    private Random random = Seed.random();

    @RepeatedTest(12)
    void tableIsWhatAReplayOfTheAcknowledgedMakes(RepetitionInfo repetition) throws IOException {
        long seed = Seed.value() + repetition.getCurrentRepetition() - 1;
        System.out.printf("DeferredClaimModelTest: seed %d%n", seed);
        random = new Random(seed);
        for (int step = 0; step < STEPS; step++) {
            String what = "seed %d step %d: %s".formatted(seed, step, step());
            assertThat(visible()).as(what).isEqualTo(replay());
        }
        report();
        assertThat(visible()).as("seed %d at the end", seed).isEqualTo(replay());
        tryDelete(new FilePath("/a"), true);
        tryDelete(new FilePath("/b"), true);
        tryDelete(new FilePath("/c"), true);
        removeDeletedTrees();
        assertThat(rowsOf(Keys.PENDING)).as("seed %d", seed).isZero();
        assertThat(rowsOf(Keys.INODE)).as("seed %d: links", seed).isZero();
        assertThat(table.statistics().files()).as("seed %d", seed).isZero();
        assertThat(table.statistics().bufferedFiles()).as("seed %d", seed).isZero();
        assertThat(table.statistics().packedBytes()).as("seed %d", seed).isZero();
    }

    private String step() throws IOException {
        String path = path();
        switch (random.nextInt(16)) {
            case 0, 1, 2, 3, 4, 5 -> write(path, random.nextInt(8) > 0, random.nextInt(6) > 0);
            case 6, 7 -> {
                if (table.delete(new FilePath(path), true) == Outcome.DONE) {
                    done.add(new Deleted(path));
                }
                return "delete " + path;
            }
            case 8, 9 -> {
                String to = path();
                if (table.rename(new FilePath(path), new FilePath(to)) == Outcome.DONE) {
                    done.add(new Renamed(path, to));
                }
                return "rename " + path + " " + to;
            }
            case 10, 11, 12 -> {
                pushSome();
                if (random.nextInt(3) > 0) {
                    report();
                }
            }
            case 13 -> {
                report();
                return "report";
            }
            case 14 -> {
                if (random.nextInt(3) == 0) {
                    restartWorker();
                    return "restart of the worker";
                }
            }
            default -> {
                if (random.nextInt(6) == 0) {
                    recover();
                    return "recovery";
                }
            }
        }
        return path;
    }

    private void write(String path, boolean overwrite, boolean deferred) throws IOException {
        FileAttributes attributes = new FileAttributes(8, done.size(), "u", "g", 0644);
        boolean there = visible().containsKey(path);
        ClaimResult result = session.claim(
                        new Claim(session.newFileId(), new FilePath(path), attributes, true, overwrite, deferred))
                .join();
        if (result instanceof ClaimResult.Granted granted) {
            Claimed claimed = new Claimed(path, granted.version(), attributes, there && deferred);
            assertThat(there && !overwrite).isFalse();
            done.add(claimed);
            held.add(claimed);
        }
    }

    /** Pushes some of what the worker holds, in any order; the master hears of it later. */
    private void pushSome() throws IOException {
        List<Claimed> some = new ArrayList<>();
        held.removeIf(claimed -> random.nextBoolean() && some.add(claimed));
        if (some.isEmpty()) {
            return;
        }
        Path file = Files.createTempFile(work, "blob", "");
        List<PackedFile> packed = new ArrayList<>();
        FinishedBlob finished;
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.READ)) {
            BlobWriter writer = new BlobWriter(channel, Codec.NONE);
            for (Claimed claimed : some) {
                Extent extent = writer.append(0, ByteBuffer.allocate(8).putLong(0, claimed.version.id()));
                packed.add(new PackedFile(
                        claimed.version, new FilePath(claimed.path), claimed.attributes, List.of(extent)));
            }
            finished = writer.finish(packed);
        }
        BlobName name = new BlobName("w", finished.footerOffset(), timestamp++);
        stores.objects.put("blobs/" + name.key(), file, PutCondition.NONE);
        unreported.add(new Heartbeat(
                0,
                0,
                List.of(new PushedBlob(name, finished.length())),
                packed.stream()
                        .map(each -> new CommittedFile(
                                each.version(),
                                List.of(new BlobExtent(name, each.extents().get(0)))))
                        .toList()));
    }

    private void report() throws IOException {
        for (Heartbeat heartbeat : unreported) {
            assertThat(session.heartbeat(heartbeat).sealNow()).isFalse();
            heartbeat.files().forEach(file -> committed.add(file.version().id()));
        }
        unreported.clear();
    }

    /** A new session of the worker; some of what waited in its buffer is lost. */
    private void restartWorker() throws IOException {
        session = table.register(new WorkerRegistration("w", "127.0.0.1:1"));
        report();
        // What replaced nothing may be lost as well, but stays at its name: that is for other tests.
        List<Claimed> lost = held.stream()
                .filter(claimed -> claimed.waits && random.nextInt(3) == 0)
                .toList();
        held.removeAll(lost);
        List<Reclaim> named = held.stream()
                .map(claimed -> new Reclaim(claimed.version, new FilePath(claimed.path), claimed.attributes, true, 0))
                .toList();
        List<Optional<FileVersion>> kept = session.reclaim(named);
        session.reclaimed();
        List<Claimed> over = new ArrayList<>();
        for (int i = 0; i < kept.size(); i++) {
            if (kept.get(i).isEmpty()) {
                over.add(held.get(i));
            }
        }
        held.removeAll(over);
        done.removeAll(lost);
    }

    /** The master and the worker's buffer are lost: what was pushed is all there is, whether it was reported or not. */
    private void recover() throws IOException {
        boolean backedUp = random.nextBoolean();
        if (backedUp) {
            report();
            table.checkpoint();
        } else {
            master.openMount(TestStores.MOUNT).upkeep().uploadJournalNow();
        }
        unreported.forEach(heartbeat ->
                heartbeat.files().forEach(file -> committed.add(file.version().id())));
        unreported.clear();
        held.clear();
        loseMaster();
        session.reclaimed();
        // A backup has the claims that had taken effect; footers alone have only pushed ones.
        done.removeIf(event -> event instanceof Claimed claimed
                && !committed.contains(claimed.version.id())
                && (claimed.waits || !backedUp));
        for (FileStatus status : List.copyOf(names().values())) {
            if (status.state() == FileStatus.State.LOST) {
                assertThat(table.delete(status.path(), false)).isEqualTo(Outcome.DONE);
                done.add(new Deleted(status.path().value()));
            }
        }
    }

    private Map<String, FileVersion> visible() throws IOException {
        Map<String, FileVersion> files = new TreeMap<>();
        names().forEach((path, status) -> {
            if (!status.isDirectory()) {
                files.put(path, status.version());
            }
        });
        return files;
    }

    /** Returns the files after all events, without the claims that still wait. */
    private Map<String, FileVersion> replay() {
        TreeMap<String, FileVersion> files = new TreeMap<>();
        for (Event event : done) {
            if (event instanceof Claimed claimed && (!claimed.waits || committed.contains(claimed.version.id()))) {
                files.put(claimed.path, claimed.version);
            } else if (event instanceof Deleted deleted) {
                files.keySet().removeIf(path -> isIn(deleted.path, path));
            } else if (event instanceof Renamed renamed) {
                Map<String, FileVersion> moved = new TreeMap<>();
                files.forEach((path, version) -> {
                    if (isIn(renamed.from, path)) {
                        moved.put(renamed.to + path.substring(renamed.from.length()), version);
                    }
                });
                files.keySet().removeIf(path -> isIn(renamed.from, path));
                files.putAll(moved);
            }
        }
        return files;
    }

    private static boolean isIn(String tree, String path) {
        return path.equals(tree) || path.startsWith(tree + "/");
    }

    private String path() {
        StringBuilder path = new StringBuilder();
        for (int depth = random.nextInt(2); depth >= 0; depth--) {
            path.append('/').append((char) ('a' + random.nextInt(3)));
        }
        return path.toString();
    }
}
