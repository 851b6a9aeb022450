// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.Bdt;
import io.packing.bdt.WorkerInUseException;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.WorkerSession;
import io.packing.bdt.master.table.Clocks;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A worker that came with a new buffer directory goes on after a recovery that names its older one only. */
class NewBufferAfterRecoveryTest {
    private static final WorkerRegistration OLD = new WorkerRegistration("w", "h:1", "buffer-1", true);
    private static final WorkerRegistration NEW = new WorkerRegistration("w", "h:2", "buffer-2", true);

    private final TestStores stores = new TestStores();
    private final AtomicLong nanos = new AtomicLong();

    @TempDir
    private Path data;

    private BdtMaster master;
    private Bdt table;

    @BeforeEach
    void start() throws IOException {
        BdtMasterOptions config = TestStores.config(data).takingOver();
        Clocks clocks = new Clocks(Clock.systemUTC(), nanos::get);
        master = BdtMaster.start(config, MasterSite.of(config, stores, clocks));
        table = master.open(TestStores.MOUNT);
    }

    @AfterEach
    void stop() {
        master.kill();
    }

    /** The backup names the session of the older directory; that of the newer one goes with the master's disk. */
    private WorkerSession replaceBufferAndLoseMaster() throws IOException {
        WorkerSession first = table.register(OLD);
        table.checkpoint();
        nanos.addAndGet(Duration.ofSeconds(11).toNanos());
        WorkerSession second = table.register(NEW);
        assertThat(second.sessionEpoch()).isGreaterThan(first.sessionEpoch());
        master.kill();
        stores.dropTables();
        GrpcMasterTest.deleteAll(data);
        start();
        return second;
    }

    @Test
    void theProcessThatHadTheIdLastHasItAgainAtOnce() throws IOException {
        WorkerSession lost = replaceBufferAndLoseMaster();
        WorkerSession again = table.register(NEW.after(lost.sessionEpoch()));
        assertThat(again.sessionEpoch()).isGreaterThan(lost.sessionEpoch());
        // The older directory's process is not the worker any more.
        assertThatThrownBy(() -> table.register(OLD)).isInstanceOf(WorkerInUseException.class);
    }

    @Test
    void whoeverProvesNothingWaitsForTheLease() throws IOException {
        WorkerSession lost = replaceBufferAndLoseMaster();
        assertThatThrownBy(() -> table.register(NEW)).isInstanceOf(WorkerInUseException.class);
        assertThatThrownBy(() -> table.register(NEW.after(1))).isInstanceOf(WorkerInUseException.class);
        assertThatThrownBy(() -> table.register(NEW.after(Long.MAX_VALUE))).isInstanceOf(WorkerInUseException.class);
        assertThatThrownBy(() -> table.register(NEW.after(lost.sessionEpoch()).waiting()))
                .isInstanceOf(WorkerInUseException.class);
    }

    @Test
    void anEpochProvesNothingAgainstASessionThatIsAlive() throws IOException {
        WorkerSession lost = replaceBufferAndLoseMaster();
        assertThat(table.register(NEW.after(lost.sessionEpoch())).sessionEpoch())
                .isPositive();
        WorkerRegistration third = new WorkerRegistration("w", "h:3", "buffer-3", true);
        assertThatThrownBy(() -> table.register(third.after(lost.sessionEpoch())))
                .isInstanceOf(WorkerInUseException.class);
    }
}
