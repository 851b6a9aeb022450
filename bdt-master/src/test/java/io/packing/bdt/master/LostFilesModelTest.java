// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.CommittedFile;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Heartbeat;
import io.packing.bdt.HeartbeatReply;
import io.packing.bdt.Outcome;
import io.packing.bdt.PushedBlob;
import io.packing.bdt.Reclaim;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.WorkerSession;
import io.packing.bdt.master.table.change.Recoveries;
import io.packing.bdt.master.table.row.StoreRows;
import io.packing.blob.BlobExtent;
import io.packing.blob.BlobName;
import io.packing.blob.BlobWriter;
import io.packing.blob.Codec;
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
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random writes, deletes, renames and pushes, losses of the master's disk, and workers that come back: deleted and overwritten
 * files stay so, and a worker's other files are not refused. The
 * journal is uploaded before each loss, so that nothing of the namespace is lost. Repeat a run with
 * {@code -Dpacking.seed=N}; {@code -Dpacking.rounds=N} runs N times ten seeds.
 */
@Tag("hunt")
class LostFilesModelTest extends MountFixture {
    private static final int ROUNDS = 5;
    private static final int STEPS = 60;
    private static final long FIRST_SEED = Seed.value();

    /** A worker and what it has, whether it is needed or not. */
    private static final class Worker {
        private final String name;
        private final TreeMap<Long, Reclaim> held = new TreeMap<>();
        private final Set<Long> packed = new HashSet<>();
        private @Nullable WorkerSession session;

        Worker(String name) {
            this.name = name;
        }
    }

    /** The path of each file that was not deleted or overwritten, as far as the model knows. */
    private final Map<Long, String> alive = new HashMap<>();

    /**
     * Files that ended by a newer one at their path. While that one is lost, the older one may be seen: it is what the
     * store has. It goes when the newer one comes back, or with it.
     */
    private final Set<Long> overwritten = new HashSet<>();

    /** Claimed since the last backup, and in no blob: a worker may not remember their positions. */
    private final Set<Long> recent = new HashSet<>();

    private final Set<Long> movedInATree = new HashSet<>();
    private final Set<Long> claimedSinceTheLoss = new HashSet<>();

    private final List<Worker> workers = List.of(new Worker("a"), new Worker("b"), new Worker("c"));
    private final List<String> story = new ArrayList<>();
    private Random random = Seed.random();
    private long marks;

    private Mount mount() throws IOException {
        return master.openMount(TestStores.MOUNT);
    }

    private static boolean isBelow(String path, String above) {
        return path.equals(above) || path.startsWith(above + "/");
    }

    private String directory() {
        StringBuilder path = new StringBuilder();
        for (int depth = 1 + random.nextInt(2); depth > 0; depth--) {
            path.append("/d").append(random.nextInt(3));
        }
        return path.toString();
    }

    /** Files of a worker stay its own, since ids of two workers say nothing about their order. */
    private String file(Worker worker) {
        return (random.nextInt(4) == 0 ? "" : directory()) + "/" + worker.name + random.nextInt(3);
    }

    private Worker anyWorker() {
        return workers.get(random.nextInt(workers.size()));
    }

    private String anyPath() {
        return random.nextBoolean() ? directory() : file(anyWorker());
    }

    private void claim(Worker worker) throws IOException {
        WorkerSession open = worker.session;
        if (open == null) {
            return;
        }
        FilePath path = new FilePath(file(worker));
        long id = open.newFileId();
        FileAttributes attributes = new FileAttributes(8, id, "u", "g", 0644);
        ClaimResult result =
                open.claim(new Claim(id, path, attributes, true, true)).join();
        if (result instanceof ClaimResult.Granted granted) {
            alive.entrySet().removeIf(file -> file.getValue().equals(path.value()) && overwritten.add(file.getKey()));
            alive.put(id, path.value());
            recent.add(id);
            claimedSinceTheLoss.add(id);
            worker.held.put(id, new Reclaim(granted.version(), path, attributes));
            story.add("%s claims %s as %s".formatted(worker.name, path, granted.version()));
        }
    }

    private void delete() throws IOException {
        String path = anyPath();
        if (table.delete(new FilePath(path), true) == Outcome.DONE) {
            alive.values().removeIf(at -> isBelow(at, path));
            story.add("deleted " + path);
        }
    }

    private void rename() throws IOException {
        boolean tree = random.nextBoolean();
        Worker worker = anyWorker();
        String from = tree ? directory() : file(worker);
        String to = tree ? directory() : file(worker);
        if (!from.equals(to) && table.rename(new FilePath(from), new FilePath(to)) == Outcome.DONE) {
            alive.replaceAll((id, at) -> at.equals(to) ? at + ".recovered-" + id : at);
            alive.forEach((id, at) -> {
                if (tree && isBelow(at, from)) {
                    movedInATree.add(id);
                }
            });
            alive.replaceAll((id, at) -> isBelow(at, from) ? to + at.substring(from.length()) : at);
            story.add("renamed %s to %s".formatted(from, to));
        }
    }

    private void push(Worker worker) throws IOException {
        WorkerSession open = worker.session;
        List<Reclaim> some = worker.held.values().stream()
                .filter(file -> !worker.packed.contains(file.version().id()) && random.nextBoolean())
                .toList();
        if (open == null || some.isEmpty()) {
            return;
        }
        Path body = Files.createTempFile(work, "blob", "");
        List<PackedFile> files = new ArrayList<>();
        FinishedBlob finished;
        try (FileChannel channel = FileChannel.open(body, StandardOpenOption.WRITE, StandardOpenOption.READ)) {
            BlobWriter writer = new BlobWriter(channel, Codec.NONE);
            for (Reclaim each : some) {
                ByteBuffer bytes =
                        ByteBuffer.allocate(8).putLong(0, each.version().id());
                files.add(new PackedFile(
                        each.version(), each.path(), each.attributes(), List.of(writer.append(0, bytes))));
            }
            finished = writer.finish(files);
        }
        BlobName name = new BlobName(worker.name, finished.footerOffset(), timestamp++);
        stores.objects.put("blobs/" + name.key(), body, PutCondition.NONE);
        some.forEach(file -> worker.packed.add(file.version().id()));
        some.forEach(file -> recent.remove(file.version().id()));
        boolean commit = random.nextBoolean();
        if (commit) {
            List<CommittedFile> committed = files.stream()
                    .map(file -> new CommittedFile(
                            file.version(),
                            file.extents().stream()
                                    .map(extent -> new BlobExtent(name, extent))
                                    .toList()))
                    .toList();
            HeartbeatReply reply =
                    open.heartbeat(new Heartbeat(0, 0, List.of(new PushedBlob(name, finished.length())), committed));
            assertThat(reply.lease()).isPositive();
            if (random.nextBoolean()) {
                some.forEach(file -> worker.held.remove(file.version().id()));
            }
        }
        story.add("%s pushed %s, committed: %s"
                .formatted(worker.name, some.stream().map(Reclaim::version).toList(), commit));
    }

    /** A new session, which names what the worker has, in pages, with or without their positions. */
    private void comeBack(Worker worker, boolean completely) throws IOException {
        WorkerSession open = table.register(new WorkerRegistration(worker.name, "127.0.0.1:1"));
        worker.session = null;
        reap();
        int page = 1 + random.nextInt(10);
        boolean remembers = random.nextBoolean();
        List<Reclaim> all = List.copyOf(worker.held.values());
        for (int from = 0; from < all.size(); from += page) {
            List<Reclaim> asked = new ArrayList<>();
            for (Reclaim file : all.subList(from, Math.min(all.size(), from + page))) {
                boolean known = remembers || !recent.contains(file.version().id()) || random.nextBoolean();
                asked.add(known ? file : LostFilesFixture.forgotten(file));
            }
            List<Optional<FileVersion>> answers = open.reclaim(asked);
            for (int i = 0; i < asked.size(); i++) {
                check(worker, asked.get(i), answers.get(i));
            }
            if (!completely && random.nextInt(3) == 0) {
                story.add(worker.name + " crashed while it came back");
                return;
            }
        }
        if (completely || random.nextBoolean()) {
            open.reclaimed();
            worker.session = open;
        }
        story.add("%s came back, completely: %s".formatted(worker.name, worker.session == open));
    }

    private void check(Worker worker, Reclaim asked, Optional<FileVersion> answer) throws IOException {
        long id = asked.version().id();
        story.add("  %s asks for %s: %s".formatted(worker.name, asked.version(), answer));
        String path = alive.get(id);
        if (overwritten.contains(id)) {
            answer.ifPresent(version -> worker.held.put(id, new Reclaim(version, asked.path(), asked.attributes())));
            return;
        }
        if (path == null) {
            assertThat(answer).as("%s is over", asked).isEmpty();
        } else if (!worker.packed.contains(id)) {
            assertThat(answer).as("%s is needed, at %s", asked, path).isPresent();
        }
        if (answer.isPresent()) {
            worker.held.put(id, new Reclaim(answer.get(), asked.path(), asked.attributes()));
            alive.put(id, locate(answer.get(), String.valueOf(path)));
        }
    }

    /** Returns a file's path: the model's, or one beside another file there. */
    private String locate(FileVersion version, String expected) throws IOException {
        String path = table.locate(version).orElseThrow().status().path().value();
        if (!path.contains(".recovered-")) {
            assertThat(path).isEqualTo(expected);
        }
        return path;
    }

    private void reap() throws IOException {
        boolean more = true;
        while (more) {
            more = mount().upkeep().reaper().step();
        }
    }

    private void loseDisk() throws IOException {
        reap();
        assertThat(table.mkdir(new FilePath("/mark" + marks++), DIRECTORY, false))
                .isEqualTo(Outcome.DONE);
        mount().upkeep().uploadJournalNow();
        loseMaster();
        // After a directory's rename before the loss, the order of the rename and a claim without a position is
        // unknown.
        recent.removeAll(movedInATree);
        recent.retainAll(claimedSinceTheLoss);
        claimedSinceTheLoss.clear();
        story.add("lost, recovered at "
                + Recoveries.load(new StoreRows(stores.table())).newestFirst());
        workers.forEach(worker -> worker.session = null);
    }

    private void step() throws IOException {
        Worker worker = anyWorker();
        switch (random.nextInt(16)) {
            case 0, 1, 2, 3, 4, 5, 6 -> claim(worker);
            case 7, 8 -> delete();
            case 9, 10 -> rename();
            case 11 -> push(worker);
            case 12 -> tryMakeDirectory(new FilePath(directory()));
            case 13, 14 -> comeBack(worker, random.nextInt(3) > 0);
            default -> {
                if (random.nextInt(3) == 0) {
                    table.checkpoint();
                    recent.clear();
                    story.add("backed up");
                }
            }
        }
    }

    private void checkAll() throws IOException {
        Map<Long, String> found = new HashMap<>();
        for (FileStatus status : names().values()) {
            if (!status.isDirectory()) {
                found.put(status.version().id(), status.path().value());
            }
        }
        assertThat(found.keySet()).isEqualTo(alive.keySet());
        for (Map.Entry<Long, String> file : alive.entrySet()) {
            String path = found.getOrDefault(file.getKey(), "");
            if (!path.contains(".recovered-")) {
                assertThat(path).isEqualTo(file.getValue());
            }
        }
    }

    private static LongStream seeds() {
        return LongStream.range(FIRST_SEED, FIRST_SEED + Integer.getInteger("packing.rounds", 1) * 10L);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void whatIsOverStaysOverAndWhatAWorkerHasIsNotRefused(long seed) throws IOException {
        random = new Random(seed);
        try {
            for (Worker worker : workers) {
                comeBack(worker, true);
            }
            for (int round = 0; round < ROUNDS; round++) {
                for (int i = 0; i < STEPS; i++) {
                    step();
                }
                loseDisk();
                for (int i = random.nextInt(STEPS); i > 0; i--) {
                    step();
                }
            }
            for (Worker worker : workers) {
                comeBack(worker, true);
            }
            checkAll();
        } catch (IOException | RuntimeException | AssertionError e) {
            throw new AssertionError("seed %d%n%s".formatted(seed, String.join("\n", story)), e);
        }
    }
}
