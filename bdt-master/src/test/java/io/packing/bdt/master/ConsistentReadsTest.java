// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.FileStatus;
import io.packing.bdt.ListedEntry;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Placement;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** While vectors are applied one after the other, no reader sees a half of one. */
@Timeout(120)
final class ConsistentReadsTest extends MountFixture {
    private static final int ROUNDS = 1_500;
    private static final FilePath TREE = new FilePath("/d");
    private static final FilePath CLONE = new FilePath("/c");

    /** Changes the table. */
    private interface Change {
        void run(int round) throws IOException;
    }

    /** Looks at the table. */
    private interface Look {
        void run() throws IOException;
    }

    @Test
    void aRenameInACloneOfATreeIsSeenWhole() throws IOException {
        claim("/d/a");
        claim("/d/other");
        push(true);
        apply(new Operation.CloneDirectory(TREE, CLONE));
        FilePath a = CLONE.child("a");
        FilePath b = CLONE.child("b");
        whileChanging(
                round -> apply(new Operation.Rename(round % 2 == 0 ? a : b, round % 2 == 0 ? b : a, false)), () -> {
                    List<String> names = table.list(CLONE, "", 100).orElseThrow().stream()
                            .map(FileStatus::path)
                            .map(FilePath::name)
                            .toList();
                    assertThat(names).hasSize(2).contains("other").containsAnyOf("a", "b");
                });
    }

    @Test
    void aFileWhoseBytesAreReplacedHasTheOldOnesOrTheNewOnes() throws IOException {
        List<FilePath> sources = new ArrayList<>();
        for (int i = 0; i < ROUNDS; i++) {
            FilePath source = new FilePath("/s/" + i);
            claim(source.value());
            sources.add(source);
        }
        push(true);
        FilePath file = TREE.child("file");
        apply(
                new Operation.MakeDirectory(TREE, DIRECTORY, true),
                new Operation.CreateFile(file, AttributeChange.NONE, false));
        whileChanging(
                // The source goes, so that the next replacement frees the bytes that only this file has.
                round -> apply(
                        new Operation.CloneFile(sources.get(round), file, true, AttributeChange.NONE),
                        new Operation.Delete(sources.get(round), false)),
                () -> {
                    LocatedFile found = table.locate(file).orElseThrow();
                    assertThat(found.placement()).isNotInstanceOf(Placement.Lost.class);
                    List<ListedEntry> listed =
                            table.listLocated(TREE, "", 10).orElseThrow().entries();
                    assertThat(listed).hasSize(1);
                    assertThat(listed.get(0).status().state()).isNotEqualTo(FileStatus.State.LOST);
                });
    }

    @Test
    void manyPathsAreLookedUpInOneState() throws IOException {
        claim("/d/a");
        push(true);
        FilePath a = TREE.child("a");
        FilePath b = TREE.child("b");
        whileChanging(
                round -> apply(new Operation.Rename(round % 2 == 0 ? a : b, round % 2 == 0 ? b : a, false)),
                () -> assertThat(table.find(List.of(a, TREE, b)).stream()
                                .filter(each -> each.entry().isPresent()))
                        .hasSize(2));
    }

    private void whileChanging(Change change, Look look) throws IOException {
        CompletableFuture<Void> changes = CompletableFuture.runAsync(() -> {
            try {
                for (int round = 0; round < ROUNDS; round++) {
                    change.run(round);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        int looks = 0;
        while (!changes.isDone()) {
            look.run();
            looks++;
        }
        changes.join();
        assertThat(looks).isPositive();
    }

    private void apply(Operation... operations) throws IOException {
        assertThat(table.apply(OperationVector.of(operations))).isInstanceOf(VectorResult.Applied.class);
    }
}
