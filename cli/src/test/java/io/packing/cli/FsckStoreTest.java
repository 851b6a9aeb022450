// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.operations.fsck.DamageLog;
import io.packing.operations.fsck.Fsck;
import io.packing.operations.fsck.FsckOptions;
import io.packing.operations.fsck.FsckResult;
import io.packing.seed.Seed;
import io.packing.store.Fault;
import io.packing.store.FaultyObjectStore;
import io.packing.store.ObjectStore;
import io.packing.store.ObjectStores;
import io.packing.store.RequestKind;
import io.packing.store.StoreUnavailableException;
import io.packing.worker.api.MountOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A check of a mount whose store goes away, or gives wrong bytes for a while: nothing is taken for damage. */
@Timeout(120)
class FsckStoreTest {
    @TempDir
    private Path directory = Path.of("");

    private CommandMount mount;
    private FaultyObjectStore store;

    @BeforeEach
    void start() throws IOException {
        mount = CommandMount.start(directory);
        for (int i = 0; i < 5; i++) {
            mount.write("/d/f" + i, new byte[1_000 + i]);
            mount.flush();
        }
        String location = directory.resolve("store").toUri().toString();
        ObjectStore sound = ObjectStores.open(
                MountOptions.from(Map.of("packing.store", location)).store());
        store = new FaultyObjectStore(sound, Seed.random(), FaultyObjectStore.Rates.NONE);
    }

    @AfterEach
    void stop() throws IOException {
        store.close();
        mount.close();
    }

    private FsckResult check() throws IOException {
        Path scratch = Files.createTempDirectory(directory, "scratch");
        try (DamageLog log = new DamageLog(scratch)) {
            FsckResult result = new Fsck(mount.bdt(), store, scratch, new FsckOptions(1, 1), log).run(looked -> {});
            assertThat(log.counts()).isEmpty();
            return result;
        } finally {
            try (Stream<Path> left = Files.list(scratch)) {
                assertThat(left).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = RequestKind.class,
            names = {"GET", "LIST"})
    void aStoreThatGoesAwayEndsTheCheckAndAnotherOneIsWhole(RequestKind kind) throws IOException {
        store.failNext(kind, Fault.BEFORE, 1);
        assertThatThrownBy(this::check).isInstanceOf(StoreUnavailableException.class);
        assertThat(ExitCodes.of(new StoreUnavailableException("away"))).isEqualTo(ExitCodes.UNAVAILABLE);
        FsckResult result = check();
        assertThat(result.files()).isEqualTo(5);
        assertThat(result.verified()).isPositive();
    }

    @Test
    void bytesThatAreDamagedOnTheWayAreReadAgain() throws IOException {
        store.failNext(RequestKind.GET, Fault.FLIPPED_READ, 3);
        assertThat(check().files()).isEqualTo(5);
    }
}
