// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.UnavailableException;
import io.packing.bdt.VectorResult;
import io.packing.bdt.master.table.LiveWorkers;
import io.packing.bdt.master.table.Table;
import io.packing.bdt.master.table.TableState;
import io.packing.bdt.master.table.TreeStore;
import io.packing.blob.FilePath;
import io.packing.power.PowerDisk;
import io.packing.sorted.DiskFullException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Refusals of a vector for an earlier mutation of its batch, which no client can see yet and which may be taken back. */
class RefusedVectorTest {
    private static final FilePath GONE = new FilePath("/gone");
    private static final OperationVector MOVE =
            OperationVector.of(new Operation.Rename(GONE, new FilePath("/moved"), false));

    private final TreeStore store = new TreeStore();
    private final Path directory = new PowerDisk().root().resolve("mount");

    @Test
    void aVectorIsToldThatItIsRefusedWhenWhatCameBeforeItIsWritten() throws Exception {
        FileLog log = FileLog.open(directory.resolve("log"), 1 << 20, true);
        Replay.run(store, log);
        TableState state = TableState.load(store, LiveWorkers.USUAL_LEASE, System::nanoTime);
        try (MountWriter writer = new MountWriter(
                "m",
                new LocalBatchStore(store, log),
                state.transaction(),
                MountWriter.Listener.of(state),
                Runnable::run)) {
            Table table = new Table(state, writer, Clock.systemUTC());
            CompletableFuture<Outcome> made = table.mkdir(1, GONE, new DirectoryAttributes("u", "g", 0755), true);
            assertThat(writer.step(0)).isTrue();
            assertThat(made.join()).isEqualTo(Outcome.DONE);
            store.failNextWrite(new DiskFullException("injected"));
            CompletableFuture<Outcome> delete = table.delete(2, GONE, true);
            CompletableFuture<VectorResult> refused = table.apply(3, MOVE);
            assertThat(writer.step(0)).isTrue();
            assertThatThrownBy(delete::join).hasCauseInstanceOf(UnavailableException.class);
            assertThatThrownBy(refused::join).hasCauseInstanceOf(UnavailableException.class);
            CompletableFuture<VectorResult> again = table.apply(3, MOVE);
            assertThat(writer.step(0)).isTrue();
            assertThat(again.join()).isInstanceOf(VectorResult.Applied.class);
        }
    }
}
