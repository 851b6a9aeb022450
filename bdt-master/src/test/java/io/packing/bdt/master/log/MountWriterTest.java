// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.FileIds;
import io.packing.bdt.Outcome;
import io.packing.bdt.UnavailableException;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.master.table.LiveWorkers;
import io.packing.bdt.master.table.Table;
import io.packing.bdt.master.table.TableState;
import io.packing.bdt.master.table.TreeStore;
import io.packing.bdt.master.table.change.RequestMemory;
import io.packing.bdt.master.table.row.Bytes;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.SessionId;
import io.packing.bdt.master.table.row.StoreRows;
import io.packing.blob.FilePath;
import io.packing.power.PowerDisk;
import io.packing.seed.Seed;
import io.packing.sorted.DiskFullException;
import io.packing.sorted.SortedStore;
import io.packing.sorted.WriteBatch;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Failures while a batch of mutations is made and written: no caller waits for ever, or gets DONE for a lost mutation. */
class MountWriterTest {
    private static final DirectoryAttributes DIRECTORY = new DirectoryAttributes("u", "g", 0755);

    private static final long FIRST_SEED = Seed.value();

    private final TreeStore store = new TreeStore();
    private final PowerDisk disk = new PowerDisk();
    private final Path directory = disk.root().resolve("mount");

    private MountWriter writer;
    private Table table;

    @BeforeEach
    void open() throws IOException {
        open(Runnable::run);
    }

    private void open(Executor answers) throws IOException {
        FileLog log = FileLog.open(directory.resolve("log"), 1 << 20, true);
        Replay.run(store, log);
        TableState state = TableState.load(store, LiveWorkers.USUAL_LEASE, System::nanoTime);
        writer = new MountWriter(
                "m", new LocalBatchStore(store, log), state.transaction(), MountWriter.Listener.of(state), answers);
        table = new Table(state, writer, Clock.systemUTC());
    }

    @AfterEach
    void close() throws IOException {
        writer.close();
    }

    private void step() {
        try {
            assertThat(writer.step(0)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private <T> T done(CompletableFuture<T> future) {
        step();
        return future.join();
    }

    private CompletableFuture<Outcome> mkdir(long request, String path) {
        return table.mkdir(request, new FilePath(path), DIRECTORY, true);
    }

    /** Checks that another process would read the table's present state from the same disk. */
    private void checkDiskEqualsMemory(String... paths) throws IOException {
        String memory = state(table, paths);
        writer.close();
        open(Runnable::run);
        assertThat(state(table, paths)).isEqualTo(memory);
    }

    private String state(Table of, String... paths) throws IOException {
        StringBuilder text = new StringBuilder(of.statistics().toString());
        for (String path : paths) {
            text.append(of.stat(new FilePath(path)));
        }
        return text.append(of.list(FilePath.ROOT, "", 100)).toString();
    }

    @Test
    void anErrorInAMutationFailsItsCallerAndTheMountGoesOn() throws IOException {
        CompletableFuture<Outcome> before = mkdir(1, "/before");
        CompletableFuture<Boolean> bad = writer.submit(t -> {
            t.rows().put(Keys.named(Keys.META, "half"), new byte[0]);
            t.change().nextPosition();
            throw new StackOverflowError("of a mutation");
        });
        CompletableFuture<Outcome> after = mkdir(2, "/after");
        step();
        assertThatThrownBy(bad::join).hasStackTraceContaining("of a mutation");
        assertThatThrownBy(before::join)
                .hasCauseInstanceOf(UnavailableException.class)
                .hasMessageContaining("repeat");
        assertThat(writer.isTaking()).isTrue();
        assertThat(done(after)).isEqualTo(Outcome.DONE);
        assertThat(done(mkdir(1, "/before"))).isEqualTo(Outcome.DONE);
        assertThat(table.rows().get(Keys.named(Keys.META, "half"))).isEmpty();
        checkDiskEqualsMemory("/before", "/after");
    }

    @Test
    void anExceptionInAMutationFailsOnlyItsCaller() throws IOException {
        CompletableFuture<Outcome> before = mkdir(1, "/before");
        CompletableFuture<Boolean> bad = writer.submit(t -> {
            t.rows().put(Keys.named(Keys.META, "half"), new byte[0]);
            throw new IllegalStateException("of a mutation");
        });
        step();
        assertThatThrownBy(bad::join).hasCauseInstanceOf(IllegalStateException.class);
        assertThat(before.join()).isEqualTo(Outcome.DONE);
        checkDiskEqualsMemory("/before");
    }

    @Test
    void aStoreThatFailsOnAFullDiskStopsTheMountUntilItIsOpenedAgain() throws IOException {
        assertThat(done(mkdir(1, "/before"))).isEqualTo(Outcome.DONE);
        store.failNextWrite(new IOException("LevelDB failed: IO error: 000005.log: No space left on device"));
        CompletableFuture<Outcome> during = mkdir(2, "/during");
        step();
        assertThatThrownBy(during::join)
                .hasCauseInstanceOf(UnavailableException.class)
                .hasMessageContaining("disk full at the master")
                .hasMessageContaining("free some space");
        assertThat(writer.isStoppedByFullDisk()).isTrue();
        writer.close();
        open(Runnable::run);
        assertThat(writer.isStoppedByFullDisk()).isFalse();
        assertThat(done(mkdir(2, "/during"))).isEqualTo(Outcome.DONE);
        checkDiskEqualsMemory("/before", "/during");
    }

    @Test
    void anotherFailureOfTheStoreIsNoFullDisk() {
        store.failNextWrite(new IOException("a disk that is broken"));
        CompletableFuture<Outcome> during = mkdir(2, "/during");
        step();
        assertThatThrownBy(during::join).hasCauseInstanceOf(UnavailableException.class);
        assertThat(writer.isTaking()).isFalse();
        assertThat(writer.isStoppedByFullDisk()).isFalse();
    }

    @Test
    void aRequestWhoseGroupDidNotFitOnTheDiskIsExecutedWhenItIsRepeated() throws IOException {
        assertThat(done(mkdir(1, "/gone"))).isEqualTo(Outcome.DONE);
        store.failNextWrite(new DiskFullException("injected"));
        CompletableFuture<Outcome> delete = table.delete(7, new FilePath("/gone"), true);
        CompletableFuture<Outcome> make = mkdir(8, "/made/below");
        step();
        assertThatThrownBy(delete::join).hasCauseInstanceOf(UnavailableException.class);
        assertThatThrownBy(make::join).hasCauseInstanceOf(UnavailableException.class);
        assertThat(table.stat(new FilePath("/gone"))).isPresent();

        assertThat(done(table.delete(7, new FilePath("/gone"), true))).isEqualTo(Outcome.DONE);
        assertThat(done(mkdir(8, "/made/below"))).isEqualTo(Outcome.DONE);
        assertThat(table.stat(new FilePath("/gone"))).isEmpty();
        assertThat(table.stat(new FilePath("/made/below"))).isPresent();
        checkDiskEqualsMemory("/gone", "/made", "/made/below");
        assertThat(done(mkdir(8, "/made/below"))).as("also after a restart").isEqualTo(Outcome.DONE);
        assertThat(done(mkdir(9, "/made/below"))).isEqualTo(Outcome.EXISTS);
    }

    @Test
    void aRegistrationThatWasNotWrittenIsNobody() throws IOException {
        store.failNextWrite(new DiskFullException("injected"));
        CompletableFuture<SessionId> failed = table.register(new WorkerRegistration("w", "host:1"));
        step();
        assertThatThrownBy(failed::join).hasCauseInstanceOf(UnavailableException.class);
        assertThat(table.workers()).isEmpty();
        SessionId session = done(table.register(new WorkerRegistration("w", "host:1")));
        assertThat(table.workers()).hasSize(1);

        store.failNextWrite(new DiskFullException("injected"));
        CompletableFuture<Long> lease = table.leaseIds(session, FileIds.RANGE);
        step();
        assertThatThrownBy(lease::join).hasCauseInstanceOf(UnavailableException.class);
        long first = done(table.leaseIds(session, FileIds.RANGE));
        assertThat(done(table.leaseIds(session, FileIds.RANGE))).isEqualTo(first + FileIds.RANGE);
        checkDiskEqualsMemory();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anErrorWhileAGroupIsWrittenStopsTheMountAloudUntilItsRestart(boolean error) throws IOException {
        Throwable how = error ? new StackOverflowError("injected") : new IOException("injected");
        store.failNextWrite(how);
        CompletableFuture<Outcome> made = mkdir(5, "/made");
        CompletableFuture<Outcome> other = mkdir(6, "/other");
        step();
        for (CompletableFuture<Outcome> each : List.of(made, other, mkdir(7, "/later"))) {
            assertThatThrownBy(each::join)
                    .hasCauseInstanceOf(UnavailableException.class)
                    .hasMessageContaining("injected")
                    .hasMessageContaining("restart the master");
        }
        assertThat(writer.problem()).hasValueSatisfying(why -> assertThat(why).contains("injected"));
        writer.close();
        open(Runnable::run);
        // The log had it: it is there, and a repeat of the request gets its first answer.
        assertThat(done(mkdir(5, "/made"))).isEqualTo(Outcome.DONE);
        assertThat(done(mkdir(7, "/later"))).isEqualTo(Outcome.DONE);
        checkDiskEqualsMemory("/made", "/other", "/later");
    }

    @Test
    void aListenerThatThrowsStopsTheMountAloud() throws IOException {
        writer.close();
        Consumer<String> nothing = text -> {};
        FileLog log = FileLog.open(directory.resolve("log"), 1 << 20, true);
        MountWriter failing = new MountWriter(
                "m",
                new LocalBatchStore(store, log),
                TableState.load(store, LiveWorkers.USUAL_LEASE, System::nanoTime)
                        .transaction(),
                group -> {
                    nothing.accept("called");
                    throw new IllegalStateException("of a listener");
                },
                Runnable::run);
        CompletableFuture<Long> mutation = failing.submit(t -> {
            t.rows().put(Keys.named(Keys.META, "x"), new byte[0]);
            return t.change().nextPosition();
        });
        try {
            assertThat(failing.step(0)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        assertThatThrownBy(mutation::join).hasStackTraceContaining("of a listener");
        assertThat(failing.problem()).hasValueSatisfying(why -> assertThat(why).contains("of a listener"));
        log.close();
        open(Runnable::run);
    }

    @Test
    void whoeverThrowsWhenHeIsAnsweredDoesNotKeepTheOthersFromTheirAnswers() throws IOException {
        CompletableFuture<Outcome> first = mkdir(1, "/a");
        CompletableFuture<Outcome> second = mkdir(2, "/b");
        CompletableFuture<Outcome> thrown = first.thenApply(outcome -> {
            throw new StackOverflowError("of a caller");
        });
        step();
        assertThatThrownBy(thrown::join).isInstanceOf(CompletionException.class);
        assertThat(second.join()).isEqualTo(Outcome.DONE);
    }

    @Test
    void answersAreGivenWithoutTheirThread() throws IOException {
        writer.close();
        open(task -> {
            throw new RejectedExecutionException("no thread");
        });
        assertThat(done(mkdir(1, "/a"))).isEqualTo(Outcome.DONE);
    }

    @Test
    void whatWaitsWhenTheMountStopsIsAnswered() throws IOException {
        CompletableFuture<Outcome> waiting = mkdir(1, "/a");
        writer.stop(new UnavailableException("first reason"));
        writer.stop(new UnavailableException("second reason"));
        assertThatThrownBy(waiting::join).hasMessageContaining("first reason");
        assertThatThrownBy(mkdir(2, "/b")::join).hasMessageContaining("first reason");
    }

    private void failSomewhere(Random random) {
        switch (random.nextInt(6)) {
            case 0 -> store.failNextWrite(new DiskFullException("injected"));
            case 1 -> store.failNextWrite(new IOException("injected"));
            case 2 -> store.failNextWrite(new StackOverflowError("injected"));
            case 3 ->
                disk.onForce(at -> {
                    disk.onForce(later -> {});
                    throw new IOException("injected");
                });
            default -> {}
        }
    }

    private void failNoMore() {
        store.failNoMore();
        disk.onForce(later -> {});
    }

    /** As a client that repeats its request until it has an answer. */
    private Outcome untilAnswered(Supplier<CompletableFuture<Outcome>> request, Random random) throws IOException {
        while (true) {
            if (!writer.isTaking()) {
                failNoMore();
                writer.close();
                open(Runnable::run);
            }
            failSomewhere(random);
            CompletableFuture<Outcome> answer = request.get();
            step();
            if (!answer.isCompletedExceptionally()) {
                return answer.join();
            }
        }
    }

    @RepeatedTest(20)
    void whateverFailsARepeatedRequestIsExecutedOnce(RepetitionInfo repetition) throws IOException {
        long seed = FIRST_SEED + repetition.getCurrentRepetition() - 1;
        Random random = new Random(seed);
        Set<String> model = new TreeSet<>();
        for (int i = 1; i <= 60; i++) {
            long request = i;
            FilePath path = new FilePath("/" + (char) ('a' + random.nextInt(5)));
            FilePath to = new FilePath("/" + (char) ('a' + random.nextInt(5)));
            boolean there = model.contains(path.value());
            Outcome wanted;
            Supplier<CompletableFuture<Outcome>> call;
            switch (random.nextInt(3)) {
                case 0 -> {
                    wanted = model.add(path.value()) ? Outcome.DONE : Outcome.EXISTS;
                    call = () -> table.mkdir(request, path, DIRECTORY, false);
                }
                case 1 -> {
                    wanted = model.remove(path.value()) ? Outcome.DONE : Outcome.NOT_FOUND;
                    call = () -> table.delete(request, path, false);
                }
                default -> {
                    boolean free = !model.contains(to.value());
                    wanted = !there ? Outcome.NOT_FOUND : free ? Outcome.DONE : Outcome.EXISTS;
                    if (wanted == Outcome.DONE) {
                        model.remove(path.value());
                        model.add(to.value());
                    }
                    call = () -> table.rename(request, path, to);
                }
            }
            assertThat(untilAnswered(call, random))
                    .as("seed %d, request %d", seed, i)
                    .isEqualTo(wanted);
        }
        failNoMore();
        assertThat(table.list(FilePath.ROOT, "", 100).orElseThrow().stream()
                        .map(entry -> entry.path().value()))
                .as("seed %d", seed)
                .containsExactlyElementsOf(model);
        checkDiskEqualsMemory("/a", "/b", "/c", "/d", "/e");
    }

    @Test
    void anAnswerOfAnOlderVersionIsRemembered() throws IOException {
        store.write(
                new WriteBatch()
                        .put(
                                Keys.numbered(Keys.REQUEST, 3),
                                new Bytes.Out()
                                        .fixed8(77)
                                        .text(Outcome.DONE.name())
                                        .toBytes()),
                SortedStore.Sync.NONE);
        RequestMemory memory = RequestMemory.load(new StoreRows(store));
        assertThat(memory.answer(77)).isEqualTo(Optional.of(Outcome.DONE));
        assertThat(Map.of(1, memory.answer(78))).containsEntry(1, Optional.empty());
    }
}
