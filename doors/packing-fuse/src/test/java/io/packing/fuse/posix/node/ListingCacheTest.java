// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.Bdt;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.FileStatus;
import io.packing.bdt.ListedEntry;
import io.packing.bdt.ListedPage;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Placement;
import io.packing.blob.FilePath;
import io.packing.fuse.posix.server.MountRig;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.PackingOutput;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Directories that are only read, over a real master whose requests are counted. */
class ListingCacheTest {
    private static final FilePath ROOT = new FilePath("/roots");
    private static final FilePath LIB = new FilePath("/roots/one/lib");

    @TempDir
    private Path home;

    private MountRig rig;
    private final List<String> asked = new ArrayList<>();
    private long now;
    private boolean withheld;
    private ListingCache directories;

    @BeforeEach
    void start() throws IOException {
        rig = MountRig.start(home);
        for (String name : new String[] {"a", "b", "c"}) {
            write(LIB.child(name), name);
        }
        Bdt counted = (Bdt) Proxy.newProxyInstance(
                Bdt.class.getClassLoader(), new Class<?>[] {Bdt.class}, (proxy, method, arguments) -> {
                    asked.add(method.getName());
                    try {
                        return told(method.invoke(rig.files().bdt(), arguments));
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        directories = new ListingCache(counted, ROOT, ListingCache.share(Duration.ofHours(1)), () -> now);
    }

    @AfterEach
    void stop() throws IOException {
        rig.close();
    }

    /** Removes the places from an answer, as a master does for a user, if the test asks for it. */
    private Object told(Object answer) {
        if (withheld && answer instanceof Optional<?> page && page.orElse(null) instanceof ListedPage listed) {
            return Optional.of(new ListedPage(
                    listed.entries().stream()
                            .map(each -> new ListedEntry(
                                    each.status(), each.placement().map(LocatedFile::withheld)))
                            .toList(),
                    listed.isLast()));
        }
        return answer;
    }

    private void write(FilePath path, String text) throws IOException {
        try (PackingOutput out = rig.files().create(path, new CreateOptions("0", "0", 0644, true, false))) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    @Test
    void theFirstNameFetchesTheOthers() throws IOException {
        for (String name : new String[] {"b", "c", "a", "b"}) {
            assertThat(directories.stat(LIB.child(name)))
                    .isEqualTo(rig.files().bdt().stat(LIB.child(name)));
        }
        assertThat(asked).containsExactly("listLocated");
        asked.clear();
        // The page was the last one.
        assertThat(directories.stat(LIB.child("none"))).isEmpty();
        assertThat(asked).isEmpty();
    }

    @Test
    void aDirectoryThatWasLearntIsAskedForOnce() throws IOException {
        directories.learn(LIB);
        directories.learn(LIB);
        assertThat(directories.stat(LIB.child("a"))).isPresent();
        assertThat(directories.stat(LIB.child("none"))).isEmpty();
        assertThat(asked).containsExactly("listLocated");
        asked.clear();
        FilePath none = new FilePath("/roots/one/none");
        directories.learn(none);
        assertThat(directories.stat(none.child("a"))).isEmpty();
        assertThat(asked).containsExactly("listLocated", "stat");
    }

    @Test
    void aDirectoryThatIsListedLocatesItsFiles() throws IOException {
        rig.files().flush();
        assertThat(directories.list(LIB).orElseThrow())
                .extracting(each -> each.path().name())
                .containsExactlyInAnyOrder("a", "b", "c");
        assertThat(directories.locate(LIB.child("a"))).isPresent();
        assertThat(directories.stat(LIB.child("b"))).isPresent();
        assertThat(asked).containsExactly("listLocated");
        assertThat(directories.list(new FilePath("/roots/one/none"))).isEmpty();
        assertThat(directories.list(ROOT)).as("names come to be in it").isEmpty();
        assertThat(directories.list(LIB.child("a"))).as("a file").isEmpty();
    }

    @Test
    void aLargeDirectoryIsFetchedWholeForItsSecondNameBehindTheFirstPage() throws IOException {
        FilePath large = new FilePath("/roots/one/large");
        for (int i = 0; i < 1_003; i++) {
            rig.files().bdt().mkdir(large.child("d%04d".formatted(i)), new DirectoryAttributes("0", "0", 0755), true);
        }
        assertThat(directories.stat(large.child("d0999"))).isPresent();
        assertThat(asked).containsExactly("listLocated");
        assertThat(directories.stat(large.child("d1002"))).isPresent();
        assertThat(asked).containsExactly("listLocated", "stat");
        asked.clear();
        assertThat(directories.stat(large.child("d1001"))).isPresent();
        assertThat(directories.stat(large.child("d1000"))).isPresent();
        assertThat(asked).containsExactly("listLocated");
        assertThat(directories.stat(large.child("none"))).isEmpty();
        assertThat(directories.list(large).orElseThrow()).hasSize(1_003);
    }

    @Test
    void bytesThatWorkersReadAreLocatedByTheListing() throws IOException {
        rig.files().flush();
        withheld = true;
        Optional<FileStatus> unused = directories.stat(LIB.child("a"));
        unused = directories.stat(LIB.child("b"));
        asked.clear();
        LocatedFile found = directories.locate(LIB.child("c")).orElseThrow();
        assertThat(found.placement()).isInstanceOf(Placement.Withheld.class);
        assertThat(asked).isEmpty();
    }

    @Test
    void bytesInTheStoreAreLocatedByTheListing() throws IOException {
        rig.files().flush();
        Optional<FileStatus> unused = directories.stat(LIB.child("a"));
        unused = directories.stat(LIB.child("b"));
        asked.clear();
        Optional<LocatedFile> found = directories.locate(LIB.child("c"));
        assertThat(found).isEqualTo(rig.files().bdt().locate(LIB.child("c")));
        assertThat(found.orElseThrow().placement()).isInstanceOf(Placement.Packed.class);
        assertThat(asked).isEmpty();
    }

    @Test
    void bytesThatAWorkerHasAreAskedForEachTime() throws IOException {
        Optional<FileStatus> unused = directories.stat(LIB.child("a"));
        unused = directories.stat(LIB.child("b"));
        asked.clear();
        assertThat(directories.locate(LIB.child("c"))).isPresent();
        assertThat(asked).containsExactly("locate");
    }

    @Test
    void whatWasListedCountsForAMinute() throws IOException {
        Optional<FileStatus> unused = directories.stat(LIB.child("a"));
        unused = directories.stat(LIB.child("b"));
        // A later fetch does not extend the life of earlier entries.
        now += Duration.ofSeconds(59).toNanos();
        assertThat(directories.stat(LIB.child("none"))).isEmpty();
        write(LIB.child("new"), "new");
        assertThat(directories.stat(LIB.child("new"))).isEmpty();
        now += Duration.ofSeconds(1).toNanos();
        assertThat(directories.stat(LIB.child("new"))).isPresent();
    }

    @Test
    void namesOfTheDirectoryThatIsMountedAreNeverListed() throws IOException {
        for (int i = 0; i < 3; i++) {
            assertThat(directories.stat(ROOT.child("one"))).isPresent();
            assertThat(directories.stat(ROOT.child("two"))).isEmpty();
        }
        assertThat(asked).containsOnly("stat");
        write(ROOT.child("two").child("f"), "f");
        assertThat(directories.stat(ROOT.child("two"))).isPresent();
    }

    @Test
    void aListingAndWhatTheKernelBelievesOfItAreNoOlderThanWhatWasAskedFor() {
        for (Duration asked :
                List.of(Duration.ZERO, Duration.ofSeconds(1), Duration.ofMinutes(3), Duration.ofHours(1))) {
            Duration listed = ListingCache.share(asked);
            assertThat(listed).isBetween(Duration.ZERO, Duration.ofMinutes(1));
            assertThat(asked.minus(listed)).isGreaterThanOrEqualTo(listed);
        }
    }

    @Test
    void aDirectoryThatIsNotThereIsNoError() throws IOException {
        for (int i = 0; i < 3; i++) {
            assertThat(directories.stat(ROOT.child("none").child("f"))).isEmpty();
        }
    }
}
