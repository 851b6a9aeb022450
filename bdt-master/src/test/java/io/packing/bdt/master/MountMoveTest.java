// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.packing.bdt.Bdt;
import io.packing.bdt.Claim;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.Heartbeat;
import io.packing.bdt.MountEntry;
import io.packing.bdt.MoveProgress;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.WorkerSession;
import io.packing.bdt.client.FederationClient;
import io.packing.bdt.client.GrpcBdts;
import io.packing.bdt.client.MoveSteps;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.process.Await;
import io.packing.seed.Seed;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Mounts that are spread over two groups of masters, and moved between them while they are used. */
@Timeout(300)
class MountMoveTest extends TwoGroupsFixture {
    private static final DirectoryAttributes DIRECTORY = new DirectoryAttributes("u", "g", 0755);
    private static final FilePath D = new FilePath("/d");
    private static final int LOADS = 3;

    /** A load of some threads on the one mount, each by a client of its own. */
    private final class Loads {
        private final AtomicBoolean stop = new AtomicBoolean();
        private final List<MoveLoad> loads = new ArrayList<>();
        private final List<Thread> threads = new ArrayList<>();

        Loads() throws IOException {
            Random random = Seed.random();
            for (int i = 0; i < LOADS; i++) {
                Bdt mount = groups.client(i % 2 == 0 ? "a" : "b").open(groups.options());
                WorkerSession session = mount.register(new WorkerRegistration("w" + i, "127.0.0.1:" + (i + 1)));
                MoveLoad load =
                        new MoveLoad(mount, session, new FilePath("/load" + i), new Random(random.nextLong()), stop);
                loads.add(load);
                threads.add(new Thread(load, "load-" + i));
            }
            threads.forEach(Thread::start);
        }

        void awaitMore(int operations) throws IOException, InterruptedException {
            for (MoveLoad load : loads) {
                int wanted = load.answered.get() + operations;
                Await.until(
                        "%d more operations are answered".formatted(operations),
                        () -> load.answered.get() >= wanted || !load.failures.isEmpty());
            }
        }

        /** Ends the load; nothing failed, and all that was answered is there. */
        void check() throws IOException, InterruptedException {
            stop.set(true);
            for (Thread thread : threads) {
                thread.join();
            }
            Bdt fresh = groups.client("a").open(groups.options());
            for (MoveLoad load : loads) {
                assertThat(load.failures).isEmpty();
                load.check(fresh);
            }
            assertThat(groups.owners()).hasSize(1);
        }
    }

    @Test
    void aClientIsSentToTheGroupThatHasTheMount() throws Exception {
        MountEntry entry = groups.client("b").groups().assign(groups.store(), "b");
        assertThat(entry.group()).isEqualTo("b");
        Bdt atA = groups.client("a").open(groups.options());
        assertThat(atA.mkdir(D, DIRECTORY, false)).isEqualTo(Outcome.DONE);
        assertThat(groups.owners()).containsExactly("b");
        assertThat(groups.client("b").open(groups.options()).stat(D)).isPresent();
        assertThat(groups.table()).containsExactly(entry);
    }

    @Test
    void aMountIsTheGroupsThatIsAskedFirstAndIsEnteredAgainWhenTheTableIsLost() throws Exception {
        Bdt mount = groups.client("b").open(groups.options());
        assertThat(mount.mkdir(D, DIRECTORY, false)).isEqualTo(Outcome.DONE);
        List<MountEntry> before = groups.table();
        groups.kill("a");
        groups.kill("b");
        Files.delete(root.resolve("a/mounts/mounts"));
        BdtMaster unused = groups.start("a", "");
        BdtMaster unusedToo = groups.start("b", "");
        assertThat(groups.table()).isEmpty();
        assertThat(mount.stat(D)).isPresent();
        assertThat(groups.table()).isEqualTo(before);
    }

    @Test
    void aMountMovesThereAndBackWhileItIsUsed() throws Exception {
        Loads loads = new Loads();
        loads.awaitMore(200);
        for (String to : List.of("b", "a", "b")) {
            MoveProgress progress = groups.move(to);
            assertThat(progress.problem()).isEmpty();
            assertThat(progress.state()).isEqualTo(MoveProgress.State.DONE);
            loads.awaitMore(200);
            assertThat(groups.owners()).containsExactly(to);
            assertThat(groups.table().get(0).group()).isEqualTo(to);
        }
        loads.check();
    }

    @Test
    void snapshotsClonesAndSessionsOfWorkersMoveAlong() throws Exception {
        Bdt mount = groups.client("a").open(groups.options());
        WorkerSession session = mount.register(new WorkerRegistration("w", "127.0.0.1:1"));
        FileAttributes file = new FileAttributes(10, 1_000, "u", "g", 0644);
        assertThat(session.claim(new Claim(session.newFileId(), D.child("f"), file, true, true))
                        .join())
                .isNotNull();
        assertThat(mount.apply(OperationVector.of(
                        new Operation.TakeSnapshot(D, "s"), new Operation.CloneDirectory(D, new FilePath("/c")))))
                .isNotNull();
        assertThat(mount.delete(D.child("f"), false)).isEqualTo(Outcome.DONE);
        assertThat(groups.move("b").state()).isEqualTo(MoveProgress.State.DONE);
        assertThat(mount.stat(new FilePath("/d/.snapshot/s/f"))).isPresent();
        assertThat(mount.stat(new FilePath("/c/f"))).isPresent();
        assertThat(mount.stat(D.child("f"))).isEmpty();
        assertThat(session.claim(new Claim(session.newFileId(), D.child("g"), file, true, true))
                        .join())
                .isNotNull();
        assertThat(mount.stat(D.child("g"))).isPresent();
        assertThat(session.heartbeat(new Heartbeat(1, 10, List.of(), List.of())).lease())
                .isPositive();
        assertThat(mount.workers()).hasSize(1);
        assertThat(groups.owners()).containsExactly("b");
    }

    @Test
    void aMasterThatRestartsAfterAMoveSendsClientsOn() throws Exception {
        Bdt mount = groups.client("a").open(groups.options());
        assertThat(mount.mkdir(D, DIRECTORY, false)).isEqualTo(Outcome.DONE);
        assertThat(groups.move("b").state()).isEqualTo(MoveProgress.State.DONE);
        groups.kill("a");
        BdtMaster unused = groups.start("a", "");
        // This client does not know of the move yet.
        assertThat(mount.stat(D)).isPresent();
        groups.kill("b");
        BdtMaster unusedToo = groups.start("b", "");
        assertThat(mount.stat(D)).isPresent();
        assertThat(groups.owners()).containsExactly("b");
    }

    /** Holds a move at a point until it is let go. */
    private final class Stop {
        private final CountDownLatch there = new CountDownLatch(1);
        private final CountDownLatch go = new CountDownLatch(1);

        Stop(MountMove.Point at) {
            groups.moves("a").at(point -> {
                if (point == at) {
                    there.countDown();
                    try {
                        boolean unused = go.await(1, TimeUnit.MINUTES);
                    } catch (InterruptedException e) {
                        throw new IllegalStateException("ended here", e);
                    }
                }
            });
        }
    }

    /** A move to b that stands at a point of it. */
    private Stop moveUpTo(MountMove.Point at) throws Exception {
        Stop stop = new Stop(at);
        assertThat(groups.client("a").groups().move(groups.mount(), "b", true).isOver())
                .isFalse();
        stop.there.await();
        return stop;
    }

    @ParameterizedTest
    @EnumSource(MountMove.Point.class)
    void aMoveWhoseSourceDiesIsDoneOrUndone(MountMove.Point at) throws Exception {
        Loads loads = new Loads();
        loads.awaitMore(50);
        Stop unusedStop = moveUpTo(at);
        groups.kill("a");
        BdtMaster unused = groups.start("a", "");
        loads.awaitMore(50);
        MountEntry entry = groups.table().get(0);
        boolean switched = at.compareTo(MountMove.Point.SWITCHED) >= 0;
        assertThat(entry.isMoving()).isFalse();
        assertThat(entry.group()).isEqualTo(switched ? "b" : "a");
        assertThat(groups.move("b").state()).isEqualTo(MoveProgress.State.DONE);
        loads.awaitMore(50);
        loads.check();
        assertThat(groups.owners()).containsExactly("b");
    }

    @ParameterizedTest
    @EnumSource(MountMove.Point.class)
    void aMoveWhoseTargetDiesIsDoneOrUndone(MountMove.Point at) throws Exception {
        Loads loads = new Loads();
        loads.awaitMore(50);
        Stop stop = new Stop(at);
        FederationClient client = groups.client("a").groups();
        assertThat(client.move(groups.mount(), "b", true).isOver()).isFalse();
        stop.there.await();
        groups.kill("b");
        BdtMaster unused = groups.start("b", "");
        stop.go.countDown();
        MoveProgress first = groups.await("b");
        boolean complete = at.compareTo(MountMove.Point.COMPLETE) >= 0;
        assertThat(first.state())
                .as(first.problem())
                .isEqualTo(complete ? MoveProgress.State.DONE : MoveProgress.State.UNDONE);
        loads.awaitMore(50);
        assertThat(groups.move("b").state()).isEqualTo(MoveProgress.State.DONE);
        loads.awaitMore(50);
        loads.check();
        assertThat(groups.owners()).containsExactly("b");
    }

    @Test
    void aMoveBackWaitsForTheRestOfTheMoveBeforeIt() throws Exception {
        Bdt mount = groups.client("a").open(groups.options());
        assertThat(mount.mkdir(D, DIRECTORY, false)).isEqualTo(Outcome.DONE);
        FederationClient client = groups.client("a").groups();
        Stop stop = moveUpTo(MountMove.Point.SWITCHED);
        // The move is done, and its thread is not yet.
        assertThat(client.move(groups.mount(), "b", false).state()).isEqualTo(MoveProgress.State.DONE);
        CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS).execute(stop.go::countDown);
        assertThat(client.move(groups.mount(), "a", true).problem()).isEmpty();
        assertThat(groups.await("a").state()).isEqualTo(MoveProgress.State.DONE);
        assertThat(mount.stat(D)).isPresent();
        assertThat(groups.owners()).containsExactly("a");
    }

    @Test
    void aMoveThatIsSaidToBeDoneIsInTheTableOfMounts() throws Exception {
        Bdt mount = groups.client("a").open(groups.options());
        assertThat(mount.mkdir(D, DIRECTORY, false)).isEqualTo(Outcome.DONE);
        FederationClient client = groups.client("a").groups();
        Stop stop = moveUpTo(MountMove.Point.SWITCHED);
        assertThat(client.move(groups.mount(), "b", false).state()).isEqualTo(MoveProgress.State.DONE);
        assertThat(groups.table().get(0).isMoving()).isFalse();
        assertThat(groups.table().get(0).group()).isEqualTo("b");
        stop.go.countDown();
        assertThat(mount.stat(D)).isPresent();
    }

    @Test
    void aMountThatHasArrivedIsOpenedWhileTheTableIsAway() throws Exception {
        Bdt mount = groups.client("a").open(groups.options());
        assertThat(mount.mkdir(D, DIRECTORY, false)).isEqualTo(Outcome.DONE);
        Stop unusedStop = moveUpTo(MountMove.Point.SWITCHED);
        // With it, the table of mounts, which says that the mount is being moved.
        groups.kill("a");
        Bdt atB = groups.client("b").open(groups.options());
        assertThat(atB.stat(D)).isPresent();
        assertThat(groups.owners()).containsExactly("b");
        BdtMaster unused = groups.start("a", "");
        assertThat(mount.stat(D)).isPresent();
        assertThat(groups.table().get(0).group()).isEqualTo("b");
    }

    @Test
    void twoMovesOfAMountAtOnceAreRefused() throws Exception {
        Bdt mount = groups.client("a").open(groups.options());
        Stop stop = new Stop(MountMove.Point.ENTERED);
        FederationClient client = groups.client("b").groups();
        String name = groups.mount();
        assertThat(client.move(name, "b", true).isOver()).isFalse();
        stop.there.await();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> client.move(name, "a", true))
                .withMessageContaining("is being moved to group b");
        assertThat(client.move(name, "b", true).isOver()).isFalse();
        stop.go.countDown();
        assertThat(groups.move("b").state()).isEqualTo(MoveProgress.State.DONE);
        assertThat(mount.stat(FilePath.ROOT)).isPresent();
    }

    @Test
    void whatCannotBeMovedIsRefusedWithWhatToDo() throws Exception {
        Bdt mount = groups.client("a").open(groups.options());
        FederationClient client = groups.client("a").groups();
        String name = groups.mount();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> client.move(name, "c", true))
                .withMessageContaining("there is no group 'c'")
                .withMessageContaining("a, b");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> client.move("nothing", "b", true))
                .withMessageContaining("packing mounts list");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> client.assign(groups.store(), "b"))
                .withMessageContaining("packing mounts move");
        groups.kill("b");
        BdtMaster unused = groups.start("b", "file://" + root.resolve("other"));
        MoveProgress elsewhere = groups.move("b");
        assertThat(elsewhere.state()).isEqualTo(MoveProgress.State.UNDONE);
        assertThat(elsewhere.problem()).contains("bdt.stores");
        assertThat(mount.mkdir(D, DIRECTORY, false)).isEqualTo(Outcome.DONE);
    }

    @Test
    void aTargetThatFindsAnotherStoreAtThePlaceRefusesTheMove() throws Exception {
        Bdt mount = groups.client("a").open(groups.options());
        GrpcBdts client = groups.client("b");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> client.groups().steps(groups.mount(), 7).begin(groups.options(), "another", ""))
                .withMessageContaining("check packing.s3.endpoint");
        assertThat(mount.stat(FilePath.ROOT)).isPresent();
    }

    @Test
    void stepsOutOfTurnAndOfOtherMovesAreRefused() throws Exception {
        Bdt mount = groups.client("a").open(groups.options());
        assertThat(mount.stat(FilePath.ROOT)).isPresent();
        String identity = Files.readString(root.resolve("store/bdt/identity"))
                .lines()
                .filter(line -> line.startsWith("identity "))
                .findFirst()
                .orElseThrow()
                .substring("identity ".length());
        FederationClient b = groups.client("b").groups();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> b.steps("m", 7).rows(new byte[2]))
                .withMessageContaining("begin the move again");
        MoveSteps steps = b.steps(groups.mount(), 7);
        assertThat(steps.begin(groups.options(), identity, "")).isNotEmpty();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> steps.rows(new byte[] {1}))
                .withMessageContaining("no rows");
        assertThatIllegalArgumentException()
                .isThrownBy(steps::sync)
                .withMessageContaining("step 3 of its move after step 1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> b.steps(groups.mount(), 8).open())
                .withMessageContaining("begin the move again");
    }
}
