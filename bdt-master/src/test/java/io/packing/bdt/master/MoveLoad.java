// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.Bdt;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.VectorResult;
import io.packing.bdt.WorkerSession;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Random operations on names below one directory, by one thread, beside a model of what was answered: creates, claims, deletes, renames
 * and clones. An operation whose answer never came may have happened or not.
 */
final class MoveLoad implements Runnable {
    private static final DirectoryAttributes DIRECTORY = new DirectoryAttributes("u", "g", 0755);
    private static final FileAttributes FILE = new FileAttributes(10, 1_000, "u", "g", 0644);
    private static final int NAMES = 40;
    private static final int PAGE = 1_000;

    private final Bdt mount;
    private final WorkerSession session;
    private final FilePath directory;
    private final Random random;
    private final AtomicBoolean stop;
    /** Names that are there. */
    private final Set<String> model = new TreeSet<>();
    /** Names with an uncertain result. */
    private final Set<String> unsure = new TreeSet<>();

    final AtomicInteger answered = new AtomicInteger();
    final List<Exception> failures = new ArrayList<>();
    private String now = "";

    MoveLoad(Bdt mount, WorkerSession session, FilePath directory, Random random, AtomicBoolean stop) {
        this.mount = mount;
        this.session = session;
        this.directory = directory;
        this.random = random;
        this.stop = stop;
    }

    @Override
    public void run() {
        try {
            assertThat(mount.mkdir(directory, DIRECTORY, true)).isIn(Outcome.DONE, Outcome.EXISTS);
            while (!stop.get()) {
                step();
                answered.incrementAndGet();
            }
        } catch (IOException | RuntimeException | AssertionError e) {
            failures.add(new IOException("%s: %s".formatted(directory, now), e));
        }
    }

    private void step() throws IOException {
        String name = "n" + random.nextInt(NAMES);
        String other = "n" + random.nextInt(NAMES);
        boolean there = model.contains(name);
        boolean otherThere = model.contains(other);
        FilePath path = directory.child(name);
        FilePath to = directory.child(other);
        int kind = random.nextInt(6);
        now = "%d %s %s".formatted(kind, name, other);
        unsure.add(name);
        unsure.add(other);
        switch (kind) {
            case 0 -> {
                Operation create = new Operation.CreateFile(path, AttributeChange.NONE, false);
                assertThat(applied(create)).as(now).isEqualTo(!there);
                model.add(name);
            }
            case 1 -> {
                Claim claim = new Claim(session.newFileId(), path, FILE, true, true);
                assertThat(session.claim(claim).join()).as(now).isInstanceOf(ClaimResult.Granted.class);
                model.add(name);
            }
            case 2 -> {
                assertThat(mount.delete(path, false)).as(now).isEqualTo(there ? Outcome.DONE : Outcome.NOT_FOUND);
                model.remove(name);
            }
            case 3 -> {
                boolean moves = there && !otherThere && !name.equals(other);
                if (!name.equals(other)) {
                    assertThat(mount.rename(path, to) == Outcome.DONE).as(now).isEqualTo(moves);
                }
                if (moves) {
                    model.remove(name);
                    model.add(other);
                }
            }
            case 4 -> {
                Operation clone = new Operation.CloneFile(path, to, false, AttributeChange.NONE);
                boolean clones = there && !otherThere && !name.equals(other);
                assertThat(applied(clone)).as(now).isEqualTo(clones);
                if (clones) {
                    model.add(other);
                }
            }
            default -> assertThat(mount.stat(path).isPresent()).as(now).isEqualTo(there);
        }
        unsure.clear();
    }

    private boolean applied(Operation operation) throws IOException {
        return mount.apply(OperationVector.of(operation)) instanceof VectorResult.Applied;
    }

    /** Compares the names in the directory with the answers. */
    void check(Bdt with) throws IOException {
        Set<String> there = new TreeSet<>();
        for (FileStatus status : with.list(directory, "", PAGE).orElse(List.of())) {
            there.add(status.path().name());
        }
        Set<String> wanted = new TreeSet<>(model);
        wanted.removeAll(unsure);
        there.removeAll(unsure);
        assertThat(there).as("below %s", directory).isEqualTo(wanted);
    }
}
