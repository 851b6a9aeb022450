// SPDX-License-Identifier: Apache-2.0
package io.packing.ufs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import alluxio.AlluxioURI;
import alluxio.conf.Configuration;
import alluxio.file.options.DescendantType;
import alluxio.security.authorization.Mode;
import alluxio.underfs.ContentHashable;
import alluxio.underfs.SeekableUnderFileInputStream;
import alluxio.underfs.UfsLoadResult;
import alluxio.underfs.UfsStatus;
import alluxio.underfs.UnderFileSystem;
import alluxio.underfs.UnderFileSystemConfiguration;
import alluxio.underfs.options.CreateOptions;
import alluxio.underfs.options.DeleteOptions;
import alluxio.underfs.options.ListOptions;
import alluxio.underfs.options.MkdirsOptions;
import alluxio.underfs.options.OpenOptions;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.Outcome;
import io.packing.blob.FilePath;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PackingUnderFileSystemTest {
    private static final String BASE = "packing://master:7000/small";
    private static final UnderFileSystemConfiguration CONF =
            UnderFileSystemConfiguration.defaults(Configuration.global());

    private final InMemoryFiles files = new InMemoryFiles();
    private final PackingUnderFileSystem ufs = new PackingUnderFileSystem(
            new AlluxioURI(BASE), CONF, new ConnectedMount((role, host) -> files), Runnable::run);

    @BeforeEach
    void mount() throws IOException {
        ufs.connectFromMaster("localhost");
    }

    @Test
    void theMountedDirectoryComesToBeAndAnswersWithAndWithoutScheme() throws IOException {
        assertThat(ufs.exists("/small")).isTrue();
        assertThat(ufs.isDirectory(BASE)).isTrue();
        assertThat(ufs.isDirectory("packing://master:7000/")).isTrue();
        assertThat(ufs.isDirectory("packing://master:7000")).isTrue();
        assertThat(ufs.getExistingDirectoryStatus(BASE).isDirectory()).isTrue();
        assertThat(ufs.isFile(BASE)).isFalse();
    }

    @Test
    void whatIsWrittenIsReadBack() throws IOException {
        write("/f", "hello world");
        assertThat(read(BASE + "/f")).isEqualTo("hello world");
        assertThat(ufs.getFileStatus(BASE + "/f").getContentLength()).isEqualTo(11);
        write("/empty", "");
        assertThat(read(BASE + "/empty")).isEmpty();
    }

    @Test
    void aStreamIsOpenedAtAnOffsetAndSeeked() throws IOException {
        write("/f", "0123456789");
        try (SeekableUnderFileInputStream in = (SeekableUnderFileInputStream)
                ufs.openExistingFile(BASE + "/f", OpenOptions.defaults().setOffset(4))) {
            assertThat(in.read()).isEqualTo('4');
            assertThat(in.getPos()).isEqualTo(5);
            in.seek(9);
            assertThat(in.read(new byte[4], 0, 4)).isEqualTo(1);
            assertThat(in.read()).isEqualTo(-1);
            in.seek(0);
            assertThat(in.skip(3)).isEqualTo(3);
            assertThat(in.available()).isEqualTo(7);
            assertThat(new String(in.readAllBytes(), UTF_8)).isEqualTo("3456789");
            assertThatThrownBy(() -> in.seek(11)).isInstanceOf(EOFException.class);
        }
    }

    @Test
    void theFingerprintIsThatOfTheOutputAndSurvivesPacking() throws IOException {
        OutputStream out = ufs.createNonexistingFile(BASE + "/f", creation());
        out.write(1);
        out.close();
        String hash = ((ContentHashable) out).getContentHash().orElseThrow();
        String ofWriter = ufs.getParsedFingerprint(BASE + "/f", hash).serialize();
        assertThat(ufs.getParsedFingerprint(BASE + "/f").serialize()).isEqualTo(ofWriter);

        files.namespace.pack(new FilePath("/small/f"));
        assertThat(ufs.getFingerprint(BASE + "/f")).isEqualTo(ofWriter);

        write("/f", "other");
        assertThat(ufs.getFingerprint(BASE + "/f")).isNotEqualTo(ofWriter);
        assertThat(ufs.getParsedFingerprint(BASE + "/none").isValid()).isFalse();
    }

    @Test
    void aFailedWriteNeverPublishesHalfAFile() throws IOException {
        OutputStream out = ufs.createNonexistingFile(BASE + "/f", creation());
        out.write("half".getBytes(UTF_8));
        files.failWrites = true;
        assertThatThrownBy(() -> out.write(1)).hasMessage("disk on fire");
        assertThatThrownBy(out::close).hasMessageContaining("given up");
        assertThat(ufs.exists(BASE + "/f")).isFalse();
        assertThat(((ContentHashable) out).getContentHash()).isEmpty();
    }

    @Test
    void theOwnerThatAlluxioRepeatsAfterACloseCostsNothing() throws IOException {
        write("/f", "x");
        ufs.setOwner(BASE + "/f", "ann", "staff");
        assertThat(files.namespace.attributeChanges).isZero();
        ufs.setOwner(BASE + "/f", "bob", null);
        ufs.setMode(BASE + "/f", (short) 0600);
        UfsStatus status = ufs.getStatus(BASE + "/f");
        assertThat(List.of(status.getOwner(), status.getGroup(), (int) status.getMode()))
                .isEqualTo(List.of("bob", "staff", 0600));
        assertThatThrownBy(() -> ufs.setMode(BASE + "/none", (short) 0600)).isInstanceOf(FileNotFoundException.class);
    }

    @Test
    void listingsArePagedAndCarryNamesOrRelativePaths() throws IOException {
        assertThat(ufs.mkdirs(BASE + "/d/e")).isTrue();
        for (int i = 0; i < 20; i++) {
            write("/d/f%02d".formatted(i), "x");
        }
        write("/d/e/deep", "x");
        assertThat(names(ufs.listStatus(BASE + "/d"))).hasSize(21).contains("e", "f00", "f19");
        assertThat(names(ufs.listStatus(BASE + "/d", ListOptions.defaults().setRecursive(true))))
                .hasSize(22)
                .contains("e", "e/deep", "f19");
        assertThat(names(ufs.listStatus(
                        "packing://master:7000/", ListOptions.defaults().setRecursive(true))))
                .contains("small", "small/d/e/deep");
        assertThat(ufs.listStatus(BASE + "/none")).isNull();
        assertThat(ufs.listStatus(BASE + "/d/f00")).isNull();
        assertThat(ufs.listStatus(BASE + "/d/f00", ListOptions.defaults().setRecursive(true)))
                .isNull();
    }

    @Test
    void metadataSyncSeesThePathAndWhatIsBelow() throws IOException {
        ufs.mkdirs(BASE + "/d/e");
        write("/d/f", "x");
        write("/d/e/g", "x");
        assertThat(loaded("/d", DescendantType.NONE)).containsExactly(BASE + "/d");
        assertThat(loaded("/d", DescendantType.ONE)).containsExactly(BASE + "/d", BASE + "/d/e", BASE + "/d/f");
        assertThat(loaded("/d", DescendantType.ALL))
                .containsExactly(BASE + "/d", BASE + "/d/e", BASE + "/d/e/g", BASE + "/d/f");
        assertThat(loaded("/d/f", DescendantType.ALL)).containsExactly(BASE + "/d/f");
        assertThat(loaded("/none", DescendantType.ALL)).isEmpty();
    }

    @Test
    void directoriesAreMadeAsAlluxioExpects() throws IOException {
        MkdirsOptions oneLevel = MkdirsOptions.defaults(CONF).setCreateParent(false);
        assertThat(ufs.mkdirs(BASE + "/a/b", oneLevel)).isFalse();
        assertThat(ufs.mkdirs(BASE + "/a", oneLevel)).isTrue();
        assertThat(ufs.mkdirs(BASE + "/a", oneLevel)).isFalse();
        assertThat(ufs.mkdirs(BASE + "/x/y/z", MkdirsOptions.defaults(CONF).setCreateParent(true)))
                .isTrue();
        assertThat(ufs.isDirectory(BASE + "/x/y")).isTrue();
    }

    @Test
    void deletesAndRenamesMindTheKind() throws IOException {
        ufs.mkdirs(BASE + "/d");
        write("/d/f", "x");
        assertThat(ufs.deleteFile(BASE + "/d")).isFalse();
        assertThat(ufs.deleteDirectory(BASE + "/d/f")).isFalse();
        assertThat(ufs.deleteDirectory(BASE + "/d")).isFalse();
        assertThat(ufs.renameFile(BASE + "/d", BASE + "/e")).isFalse();
        assertThat(ufs.renameDirectory(BASE + "/d", BASE + "/e")).isTrue();
        assertThat(ufs.renameRenamableFile(BASE + "/e/f", BASE + "/e/g")).isTrue();
        assertThat(ufs.renameRenamableFile(BASE + "/e/f", BASE + "/e/h")).isFalse();
        assertThat(read(BASE + "/e/g")).isEqualTo("x");
        assertThat(ufs.deleteExistingDirectory(
                        BASE + "/e", DeleteOptions.defaults().setRecursive(true)))
                .isTrue();
        assertThat(ufs.exists(BASE + "/e/g")).isFalse();
        assertThat(ufs.deleteExistingFile(BASE + "/e/g")).isFalse();
    }

    @Test
    void whatAlluxioMayNotChangeFailsAsItsCallersExpect() throws IOException {
        ufs.mkdirs(BASE + "/d");
        write("/d/f", "x");
        files.namespace.withSnapshots.add(new FilePath("/small/d"));
        DeleteOptions recursive = DeleteOptions.defaults().setRecursive(true);
        assertThatThrownBy(() -> ufs.deleteExistingDirectory(BASE + "/d", recursive))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("has the snapshot s");
        assertThat(read(BASE + "/d/f")).isEqualTo("x");
        FilePath snapshot = new FilePath("/small/d/.snapshot/s");
        assertThat(files.namespace.mkdir(snapshot, new DirectoryAttributes("", "", 0755), true))
                .isEqualTo(Outcome.DONE);
        // Alluxio makes the directories above a file that it finds.
        assertThat(ufs.mkdirs(BASE + "/d/.snapshot/s")).isFalse();
        String inside = BASE + "/d/.snapshot/s/f";
        for (ThrowableAssert.ThrowingCallable change : List.<ThrowableAssert.ThrowingCallable>of(
                () -> ufs.deleteExistingFile(inside),
                () -> ufs.deleteExistingDirectory(BASE + "/d/.snapshot/s", recursive),
                () -> ufs.renameRenamableFile(inside, BASE + "/g"),
                () -> ufs.renameRenamableFile(BASE + "/d/f", inside),
                () -> ufs.mkdirs(inside + "/below"),
                () -> ufs.setMode(inside, (short) 0600),
                () -> ufs.setOwner(inside, "o", "g"),
                () -> ufs.create(inside).close())) {
            assertThatThrownBy(change)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("a snapshot is never changed");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "100%", "%2F", "ünï-ø-文件-🙂", "a:b", "a#b", "a+b&c=d", "~", "\\", "'\""})
    void everyLegalNameSurvivesTheTranslation(String name) throws IOException {
        write("/" + name, name);
        assertThat(read(BASE + "/" + name)).isEqualTo(name);
        assertThat(names(ufs.listStatus(BASE))).containsExactly(name);
        assertThat(files.namespace.entries).containsKey(new FilePath("/small/" + name));
    }

    @Test
    void aVeryLongNameSurvivesAndAnImpossibleOneIsRefused() throws IOException {
        String name = "n".repeat(FilePath.MAX_NAME_BYTES);
        write("/" + name, "x");
        assertThat(read(BASE + "/" + name)).isEqualTo("x");
        assertThatThrownBy(() -> ufs.exists(BASE + "/a/../b"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("..");
    }

    @Test
    void kindsAreToldApartInStatuses() throws IOException {
        write("/f", "x");
        assertThatThrownBy(() -> ufs.getFileStatus(BASE)).isInstanceOf(FileNotFoundException.class);
        assertThatThrownBy(() -> ufs.getDirectoryStatus(BASE + "/f")).isInstanceOf(FileNotFoundException.class);
        assertThatThrownBy(() -> ufs.getStatus(BASE + "/none")).isInstanceOf(FileNotFoundException.class);
        assertThatThrownBy(() -> ufs.open(BASE + "/none")).isInstanceOf(FileNotFoundException.class);
    }

    @Test
    void aBufferedFileIsLocatedAtItsWorker() throws IOException {
        write("/f", "x");
        assertThat(ufs.getFileLocations(BASE + "/f")).containsExactly("node-1");
        files.namespace.pack(new FilePath("/small/f"));
        assertThat(ufs.getFileLocations(BASE + "/f")).isEmpty();
        assertThat(ufs.getSpace(BASE, UnderFileSystem.SpaceType.SPACE_USED)).isEqualTo(77);
        assertThat(ufs.getSpace(BASE, UnderFileSystem.SpaceType.SPACE_FREE)).isEqualTo(-1);
    }

    @Test
    void aCloseByAlluxioClosesNothing() throws IOException {
        ufs.close();
        assertThat(files.closed).isFalse();
        write("/f", "still works");
        assertThat(read(BASE + "/f")).isEqualTo("still works");
    }

    private static CreateOptions creation() {
        return CreateOptions.defaults(CONF)
                .setCreateParent(true)
                .setOwner("ann")
                .setGroup("staff")
                .setMode(new Mode((short) 0640));
    }

    private void write(String path, String content) throws IOException {
        try (OutputStream out = ufs.createNonexistingFile(BASE + path, creation())) {
            out.write(content.getBytes(UTF_8));
        }
    }

    private String read(String path) throws IOException {
        try (InputStream in = ufs.open(path)) {
            return new String(in.readAllBytes(), UTF_8);
        }
    }

    private List<String> loaded(String path, DescendantType depth) {
        AtomicReference<@Nullable UfsLoadResult> result = new AtomicReference<>();
        ufs.performListingAsync(BASE + path, null, null, depth, true, result::set, e -> {
            throw new AssertionError(e);
        });
        return Objects.requireNonNull(result.get())
                .getItems()
                .map(UfsStatus::getName)
                .toList();
    }

    private static List<String> names(UfsStatus @Nullable [] statuses) {
        return Arrays.stream(Objects.requireNonNull(statuses))
                .map(UfsStatus::getName)
                .toList();
    }
}
