// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.packing.bdt.FencedException;
import io.packing.bdt.Heartbeat;
import io.packing.bdt.WorkerInUseException;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.master.table.Table;
import io.packing.bdt.master.table.TableState;
import io.packing.bdt.master.table.TreeStore;
import io.packing.bdt.master.table.Waiting;
import io.packing.bdt.master.table.row.Bytes;
import io.packing.bdt.master.table.row.SessionId;
import io.packing.bdt.master.table.row.SessionRow;
import io.packing.sorted.SortedStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A worker id belongs to one live process. */
class WorkerIdTest {
    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final WorkerRegistration FIRST = new WorkerRegistration("w", "10.0.0.1:7000", "buffer-1", true);
    private static final WorkerRegistration SECOND = new WorkerRegistration("w", "10.0.0.2:7000", "buffer-2", true);

    @TempDir
    private Path data;

    private final SortedStore store = new TreeStore();
    private final AtomicLong nanos = new AtomicLong();
    private MountWriter writer;
    private Table table;

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
    }

    @AfterEach
    void close() throws IOException {
        writer.close();
    }

    private long register(WorkerRegistration registration) throws IOException {
        CompletableFuture<SessionId> session = table.register(registration);
        try {
            assertThat(writer.step(0)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        return Waiting.on(session).sessionEpoch();
    }

    private WorkerInUseException refusal(WorkerRegistration registration) {
        return catchThrowableOfType(WorkerInUseException.class, () -> register(registration));
    }

    private void beat(long epoch) throws IOException {
        assertThat(Waiting.on(table.heartbeat(new SessionId("w", epoch), new Heartbeat(0, 0, List.of(), List.of())))
                        .lease())
                .isEqualTo(LEASE);
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    @Test
    void secondProcessWithALiveIdIsRefusedAndToldWhereTheFirstIs() throws IOException {
        long epoch = register(FIRST);
        pass(Duration.ofSeconds(4));
        WorkerInUseException refused = refusal(SECOND);
        assertThat(refused).hasMessageContaining("'w'").hasMessageContaining("10.0.0.1:7000");
        assertThat(refused.leaseLeft()).isEqualTo(Duration.ofSeconds(6));
        beat(epoch);
        pass(Duration.ofMillis(9_999));
        assertThatThrownBy(() -> register(SECOND)).isInstanceOf(WorkerInUseException.class);
        beat(epoch);
    }

    @Test
    void otherDirectoryTakesTheIdWhenTheLeaseHasEnded() throws IOException {
        long epoch = register(FIRST);
        pass(LEASE);
        assertThat(register(SECOND)).isGreaterThan(epoch);
        assertThatThrownBy(() -> beat(epoch)).isInstanceOf(FencedException.class);
    }

    @Test
    void sameDirectoryTakesItsOwnSessionOverAtOnce() throws IOException {
        long epoch = register(FIRST);
        assertThat(register(new WorkerRegistration("w", "10.0.0.1:7001", "buffer-1", true)))
                .isGreaterThan(epoch);
    }

    @Test
    void fencedProcessDoesNotTakeTheIdBackFromALiveOne() throws IOException {
        long fenced = register(FIRST);
        pass(LEASE);
        register(SECOND);
        assertThatThrownBy(() -> register(FIRST.waiting())).isInstanceOf(WorkerInUseException.class);
        pass(LEASE);
        assertThat(register(FIRST.waiting())).isGreaterThan(fenced);
    }

    @Test
    void restartOfTheMasterDoesNotMakeALiveWorkerLookGone() throws IOException {
        long epoch = register(FIRST);
        pass(Duration.ofHours(1));
        beat(epoch);
        writer.close();
        open();
        assertThat(refusal(SECOND).isPresumed()).isTrue();
        beat(epoch);
        assertThat(refusal(SECOND).isPresumed()).isFalse();
        pass(LEASE);
        assertThat(register(SECOND)).isGreaterThan(epoch);
    }

    @Test
    void rowOfAnOlderVersionIsReadAsOneWithoutADirectory() {
        byte[] old = new Bytes.Out().number(7).text("h:1").number(3).toBytes();
        assertThat(SessionRow.decode("w", old)).isEqualTo(new SessionRow(new SessionId("w", 7), "h:1", 3, ""));
    }
}
