// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.Heartbeat;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.VectorResult;
import io.packing.bdt.WorkerActivity;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.master.log.FileLog;
import io.packing.bdt.master.log.LocalBatchStore;
import io.packing.bdt.master.log.MountWriter;
import io.packing.bdt.master.log.Replay;
import io.packing.bdt.master.table.Table;
import io.packing.bdt.master.table.TableState;
import io.packing.bdt.master.table.TreeStore;
import io.packing.bdt.master.table.Waiting;
import io.packing.bdt.master.table.row.SessionId;
import io.packing.bdt.master.upkeep.Losses;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.sorted.SortedStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A mount that misses its workers, or bytes, says so when it is time, by a clock that the test turns. */
class MountNeedsTest {
    private static final Duration LEASE = Duration.ofSeconds(10);

    @TempDir
    private Path data;

    private final SortedStore store = new TreeStore();
    private final AtomicLong nanos = new AtomicLong();
    private final List<List<String>> found = new ArrayList<>();
    private MountWriter writer;
    private Table table;
    private Losses losses;
    private MountNeeds needs;

    @BeforeEach
    void open() throws IOException {
        FileLog log = FileLog.open(data.resolve("log"), 1 << 20, false);
        Replay.run(store, log);
        TableState state = TableState.load(store, LEASE, nanos::get);
        writer = new MountWriter(
                "m",
                new LocalBatchStore(store, log),
                state.transaction(),
                MountWriter.Listener.of(state),
                Runnable::run);
        table = new Table(state, writer, Clock.systemUTC());
        losses = new Losses("m", table, nanos::get);
        losses.whenFound(found::add);
        needs = new MountNeeds(table.standing(), losses);
    }

    @AfterEach
    void close() throws IOException {
        writer.close();
    }

    private <T> T done(CompletableFuture<T> future) throws IOException {
        try {
            assertThat(writer.step(0)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        return Waiting.on(future);
    }

    private SessionId register(String worker) throws IOException {
        return done(table.register(new WorkerRegistration(worker, "h:1")));
    }

    private void claim(SessionId session, String path) throws IOException {
        long id = done(table.leaseIds(session, 1));
        Claim claim = new Claim(id, new FilePath(path), new FileAttributes(8, 1, "u", "g", 0644), true, true);
        assertThat(done(table.claim(session, List.of(claim))).get(0)).isInstanceOf(ClaimResult.Granted.class);
    }

    private void beat(SessionId session, Heartbeat.Presence presence) throws IOException {
        Heartbeat heartbeat = new Heartbeat(0, 0, List.of(), List.of(), WorkerActivity.NONE, presence);
        CompletableFuture<?> answered = table.heartbeat(session, heartbeat);
        Object unused = presence == Heartbeat.Presence.LEFT ? done(answered) : Waiting.on(answered);
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    private void search() throws IOException {
        while (losses.step()) {
            assertThat(losses.paths()).hasSizeLessThanOrEqualTo(20);
        }
    }

    @Test
    void aMountThatNeverHadAWorkerNeedsNone() {
        pass(Duration.ofDays(1));
        assertThat(needs.unmet(true)).isEmpty();
    }

    @Test
    void aMountWhoseWorkersAreGoneIsNotReadyAfterAMinute() throws IOException {
        SessionId session = register("w");
        pass(Duration.ofSeconds(59));
        assertThat(needs.unmet(true)).isEmpty();
        pass(Duration.ofSeconds(1));
        assertThat(needs.unmet(true).orElseThrow())
                .contains("no worker has been alive for 60 s: every write fails")
                .contains("packing drain");
        beat(session, Heartbeat.Presence.STAYS);
        assertThat(needs.unmet(true)).isEmpty();
        pass(Duration.ofMinutes(2));
        assertThat(needs.unmet(true)).isPresent();
        assertThat(register("other").sessionEpoch()).isPositive();
        assertThat(needs.unmet(true)).isEmpty();
    }

    @Test
    void aMasterThatHasJustStartedGivesWorkersTheTimeToComeBack() throws IOException {
        assertThat(register("w").sessionEpoch()).isPositive();
        pass(Duration.ofHours(1));
        writer.close();
        open();
        pass(Duration.ofSeconds(59));
        assertThat(needs.unmet(true)).isEmpty();
        pass(Duration.ofSeconds(1));
        assertThat(needs.unmet(true)).isPresent();
    }

    @Test
    void aMountWhoseLastWorkerLeftInOrderIsOnlyRead() throws IOException {
        beat(register("w"), Heartbeat.Presence.LEFT);
        pass(Duration.ofDays(1));
        assertThat(needs.unmet(true)).isEmpty();
        writer.close();
        open();
        pass(Duration.ofDays(1));
        assertThat(needs.unmet(true)).isEmpty();
    }

    @Test
    void lostFilesAreNamedTwentyAtMostAndToldOnce() throws IOException {
        SessionId session = register("w");
        for (int i = 0; i < 30; i++) {
            claim(session, "/d/" + i);
        }
        assertThat(done(table.reclaimed(register("w")))).isTrue();
        // The number is known before any name is.
        assertThat(needs.unmet(true).orElseThrow())
                .contains("30 files are lost: workers came back without their 240 bytes");
        search();
        assertThat(losses.paths()).hasSize(20).allMatch(path -> path.startsWith("/d/"));
        assertThat(found).containsExactly(losses.paths());
        assertThat(needs.unmet(true).orElseThrow()).contains(losses.paths().get(0));
        assertThat(needs.unmet(false).orElseThrow()).contains("30 files").doesNotContain("/d/");
        for (int i = 0; i < 30; i++) {
            done(table.delete(0, new FilePath("/d/" + i), false));
            pass(Duration.ofMinutes(1));
            beat(register("v"), Heartbeat.Presence.STAYS);
            search();
        }
        assertThat(losses.paths()).isEmpty();
        assertThat(found).hasSize(1);
        assertThat(needs.unmet(true)).isEmpty();
    }

    @Test
    void theNamesOfLostFilesGoOnWhenOthersAreLost() throws IOException {
        claim(register("w"), "/a");
        assertThat(done(table.reclaimed(register("w")))).isTrue();
        search();
        claim(register("v"), "/b");
        VectorResult cloned = done(table.apply(
                0,
                OperationVector.of(
                        new Operation.CloneFile(new FilePath("/b"), new FilePath("/c"), false, AttributeChange.NONE))));
        assertThat(cloned).isInstanceOf(VectorResult.Applied.class);
        assertThat(done(table.reclaimed(register("v")))).isTrue();
        search();
        assertThat(losses.paths()).hasSize(2).contains("/a").containsAnyOf("/b", "/c");
        assertThat(found).hasSize(2);
    }
}
