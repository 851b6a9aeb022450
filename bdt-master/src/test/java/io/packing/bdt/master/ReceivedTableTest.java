// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.master.cloud.ReadyMount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The table of a mount that another group sent, in the place of the mount's own. */
class ReceivedTableTest {
    private static final String MOUNT = "mount";
    private static final ReadyMount READY = new ReadyMount(1, "file:///store", "", Optional.empty());
    private static final int ROUNDS = 300;
    private static final int THREADS = 2;

    @TempDir
    Path root;

    private DataDirectory data;

    @BeforeEach
    void open() throws IOException {
        data = DataDirectory.lock(root);
    }

    @AfterEach
    void close() throws IOException {
        data.close();
    }

    private void receive(String text) throws IOException {
        Path received = data.received(MOUNT);
        data.clear(received.getFileName().toString());
        Files.writeString(Files.createDirectories(received.resolve("table")).resolve("row"), text);
        data.ready(received.getFileName().toString(), READY);
    }

    private String row() throws IOException {
        return Files.readString(data.mount(MOUNT).resolve("table").resolve("row"));
    }

    @Test
    void aTableIsTakenOnceWhenTwoThreadsTakeIt() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            for (int i = 0; i < ROUNDS; i++) {
                receive("row " + i);
                CyclicBarrier start = new CyclicBarrier(THREADS);
                List<Future<Boolean>> done = new ArrayList<>();
                for (int j = 0; j < THREADS; j++) {
                    done.add(threads.submit(() -> {
                        start.await();
                        data.takeReceived(MOUNT);
                        return true;
                    }));
                }
                for (Future<Boolean> each : done) {
                    assertThat(each.get()).isTrue();
                }
                assertThat(row()).isEqualTo("row " + i);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void aLookAtTheOwnTableTakesNothing() throws IOException {
        BdtMasterOptions config = TestStores.config(root);
        LocalTables tables = new LocalTables(config, Stores.standard(config::stores, config.access()), data);
        receive("row");
        assertThat(tables.ready(MOUNT)).isEmpty();
        assertThat(data.received(MOUNT)).isDirectory();
    }

    @Test
    void aStartEndsWhatACrashBrokeOff() throws IOException {
        receive("row");
        data.close();
        data = DataDirectory.lock(root);
        assertThat(row()).isEqualTo("row");
        assertThat(data.ready(MOUNT)).contains(READY);
        assertThat(data.received(MOUNT)).doesNotExist();
    }
}
