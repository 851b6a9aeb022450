// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.fsck;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.Bdt;
import io.packing.bdt.FileStatus;
import io.packing.bdt.ScanPage;
import io.packing.bdt.ScannedFile;
import io.packing.bdt.ScannedName;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Counts of names against the names that there are. */
class HardLinkNamesTest {
    private static final FilePath D = new FilePath("/d");
    private static final FilePath LINKS = new FilePath("/.reserved/links");

    @TempDir
    private Path directory;

    private static ScanPage page(int counted, String... names) {
        ScannedFile file = new ScannedFile(
                Optional.of(LINKS),
                "7",
                new FileVersion(7, 1),
                3,
                FileStatus.State.MAPPED,
                "",
                List.of(),
                true,
                counted);
        List<ScannedName> all = Stream.of(names)
                .map(name -> new ScannedName(name.isEmpty() ? Optional.empty() : Optional.of(D), name, 7))
                .toList();
        return new ScanPage(List.of(), List.of(file), List.of(), all, List.of(), List.of(), List.of(), "");
    }

    private static Bdt scanning(ScanPage... pages) {
        Deque<ScanPage> left = new ArrayDeque<>(List.of(pages));
        return (Bdt) Proxy.newProxyInstance(
                Bdt.class.getClassLoader(), new Class<?>[] {Bdt.class}, (proxy, method, arguments) -> left.remove());
    }

    private List<String> check(ScanPage first, ScanPage... again) throws IOException {
        try (DamageLog log = new DamageLog(directory)) {
            HardLinkNames names = new HardLinkNames();
            log.follow(names::named);
            names.take(first);
            names.check(scanning(again), log);
            List<String> told = new ArrayList<>();
            log.forEach(damage -> told.add(damage.kind() + " " + damage.path() + " " + damage.detail()));
            return told;
        }
    }

    @Test
    void aFileThatCountsRightIsSound() throws IOException {
        assertThat(check(page(2, "a", "b"))).isEmpty();
        // In a tree that is being removed.
        assertThat(check(page(2, "a", ""))).isEmpty();
    }

    @Test
    void aFileThatCountsWrongIsToldOfAtEachName() throws IOException {
        assertThat(check(page(3, "a", "b"), page(3, "a", "b")))
                .containsExactly("links /d/a it counts 3 names and has 2", "links /d/b it counts 3 names and has 2");
        assertThat(check(page(1), page(1))).containsExactly("links /.reserved/links/7 it counts 1 names and has 0");
    }

    @Test
    void whatChangedMeanwhileIsNoDamage() throws IOException {
        assertThat(check(page(3, "a", "b"), page(3, "a", "b", "c"))).isEmpty();
        assertThat(check(page(3, "a", "b"), page(2, "a"))).isEmpty();
    }
}
