// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.Bdt;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Outcome;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.WorkerSession;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.sorted.SortedStoreOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The master with its real engines and a directory as backing store. */
class OnDiskTest {
    private static final FileAttributes FILE = new FileAttributes(10, 1_000, "u", "g", 0644);

    @TempDir
    Path directory;

    @ParameterizedTest
    @EnumSource
    void largeDirectorySurvivesAKillAndTheLossOfTheDisk(SortedStoreOptions.Engine engine) throws IOException {
        Path store = Files.createDirectory(directory.resolve("store"));
        Map<String, String> mount = Map.of("packing.store", store.toUri().toString());
        BdtMasterOptions config = new BdtMasterOptions(
                        directory.resolve("data"), "127.0.0.1", 0, -1, engine, 8 << 20, 0)
                .allowing(AllowedStores.parse(store.toUri().toString()));
        try (Killing master = new Killing(BdtMaster.start(config))) {
            Bdt table = master.it.open(mount);
            WorkerSession session = table.register(new WorkerRegistration("w", "127.0.0.1:1"));
            List<CompletableFuture<ClaimResult>> claims = new ArrayList<>();
            for (int i = 0; i < 20_000; i++) {
                claims.add(session.claim(
                        new Claim(session.newFileId(), new FilePath("/big/f%05d".formatted(i)), FILE, true, true)));
            }
            for (CompletableFuture<ClaimResult> claim : claims) {
                assertThat(claim.join()).isInstanceOf(ClaimResult.Granted.class);
            }
            assertThat(table.rename(new FilePath("/big"), new FilePath("/large")))
                    .isEqualTo(Outcome.DONE);
        }
        try (BdtMaster master = BdtMaster.start(config)) {
            checkAll(master.open(mount));
        }
        GrpcMasterTest.deleteAll(directory.resolve("data"));
        try (BdtMaster master = BdtMaster.start(config)) {
            checkAll(master.open(mount));
        }
    }

    private static void checkAll(Bdt table) throws IOException {
        String after = "";
        int seen = 0;
        FilePath large = new FilePath("/large");
        for (List<FileStatus> page = table.list(large, after, 1_000).orElseThrow();
                !page.isEmpty();
                page = table.list(large, after, 1_000).orElseThrow()) {
            after = page.get(page.size() - 1).path().name();
            seen += page.size();
        }
        assertThat(seen).isEqualTo(20_000);
        assertThat(table.stat(new FilePath("/large/f19999")).orElseThrow().attributes())
                .isEqualTo(FILE);
        assertThat(table.statistics().files()).isEqualTo(20_000);
    }

    private record Killing(BdtMaster it) implements AutoCloseable {
        @Override
        public void close() {
            it.kill();
        }
    }
}
