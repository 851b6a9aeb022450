// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.Bdt;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.FoundEntry;
import io.packing.bdt.MoveProgress;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.WorkerSession;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many paths are looked up at once in a mount that goes to another group of masters meanwhile. */
@Timeout(300)
final class MovedFindTest extends TwoGroupsFixture {
    private static final FileAttributes FILE = new FileAttributes(10, 1_000, "u", "g", 0644);

    @Test
    void lookupsFollowAMountAndFindWhatTheyFoundBefore() throws Exception {
        Bdt mount = groups.client("a").open(groups.options());
        WorkerSession session = mount.register(new WorkerRegistration("w", "127.0.0.1:1"));
        List<FilePath> paths = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            FilePath path = new FilePath("/d/" + i);
            assertThat(session.claim(new Claim(session.newFileId(), path, FILE, true, true))
                            .join())
                    .isInstanceOf(ClaimResult.Granted.class);
            paths.addAll(List.of(path, path.child("none")));
        }
        List<FoundEntry> before = mount.find(paths);
        AtomicBoolean stop = new AtomicBoolean();
        CompletableFuture<Integer> lookups = CompletableFuture.supplyAsync(() -> {
            int answers = 0;
            while (!stop.get()) {
                try {
                    assertThat(mount.find(paths)).isEqualTo(before);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
                answers++;
            }
            return answers;
        });
        for (String to : List.of("b", "a", "b")) {
            assertThat(groups.move(to).state()).isEqualTo(MoveProgress.State.DONE);
            assertThat(groups.client("a").open(groups.options()).find(paths)).isEqualTo(before);
        }
        stop.set(true);
        assertThat(lookups.join()).isPositive();
        assertThat(mount.find(paths)).isEqualTo(before);
        assertThat(groups.owners()).containsExactly("b");
    }
}
