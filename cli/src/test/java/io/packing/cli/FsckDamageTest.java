// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Placement;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.WorkerSession;
import io.packing.blob.BlobExtent;
import io.packing.blob.BlobName;
import io.packing.blob.Extent;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.seed.Seed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code packing fsck} on one mount with many kinds of damage at once: each is found, with the paths, and nothing else. */
@Timeout(180)
class FsckDamageTest {
    private static final int FILES = 5;
    private static final int FILE_BYTES = 1_000;

    @TempDir
    private Path directory = Path.of("");

    private final Random random = Seed.random();
    private final TreeSet<String> expected = new TreeSet<>();
    private final Map<String, BlobName> blobs = new LinkedHashMap<>();
    /** Extents of the second file of each group. */
    private final Map<String, Extent> extents = new LinkedHashMap<>();

    private BlobName blob(String group) {
        return Objects.requireNonNull(blobs.get(group));
    }

    private Extent extent(String group) {
        return Objects.requireNonNull(extents.get(group));
    }

    private Path object(String group) {
        return directory.resolve("store").resolve(key(group));
    }

    private String key(String group) {
        return BlobName.FOLDER + blob(group).key();
    }

    private String file(String group, int number) {
        return "/" + group + "/f" + number;
    }

    private String anyFile(String group) {
        return file(group, random.nextInt(FILES));
    }

    private void expect(String kind, String path) {
        expected.add(kind + " " + path);
    }

    private void expectAll(String kind, String group) {
        for (int i = 0; i < FILES; i++) {
            expect(kind, file(group, i));
        }
    }

    /** Writes each group's files into one blob of their own. */
    private void write(CommandMount mount, String... groups) throws IOException {
        for (String group : groups) {
            do {
                // A seal order of the flush before may still be on its way: it takes the first file by itself.
                mount.write("/first", new byte[1]);
                for (int i = 0; i < FILES; i++) {
                    byte[] bytes = new byte[FILE_BYTES];
                    random.nextBytes(bytes);
                    mount.write(file(group, i), bytes);
                }
                mount.flush();
            } while (blobsOf(mount, group).size() > 1);
            blobs.put(group, blobsOf(mount, group).iterator().next());
        }
    }

    private Set<BlobName> blobsOf(CommandMount mount, String group) throws IOException {
        Set<BlobName> all = new HashSet<>();
        for (int i = 0; i < FILES; i++) {
            all.add(extent(mount, file(group, i)).blob());
        }
        return all;
    }

    private static BlobExtent extent(CommandMount mount, String path) throws IOException {
        LocatedFile file = mount.bdt().locate(new FilePath(path)).orElseThrow();
        Placement placement = file.placement() instanceof Placement.Mapped mapped
                ? mapped.pieces().get(0).content().placement()
                : file.placement();
        return ((Placement.Packed) placement).extents().get(0);
    }

    private void flip(String group, long at) throws IOException {
        byte[] bytes = Files.readAllBytes(object(group));
        bytes[(int) at] ^= (byte) (1 << random.nextInt(8));
        Files.write(object(group), bytes);
    }

    private void cut(String group, long to) throws IOException {
        Files.write(object(group), Arrays.copyOf(Files.readAllBytes(object(group)), (int) to));
    }

    private JsonNode fsck(CommandMount mount, int exitCode, String... words) throws IOException {
        List<String> all = new ArrayList<>(List.of("--json", "--verify"));
        all.addAll(List.of(words));
        CommandRun run = mount.run("fsck", all.toArray(String[]::new));
        assertThat(run.exitCode()).as(run.err()).isEqualTo(exitCode);
        return new ObjectMapper().readTree(run.out());
    }

    private static Set<String> found(JsonNode result) {
        TreeSet<String> found = new TreeSet<>();
        for (JsonNode each : result.get("damage")) {
            String path = each.get("path").asText();
            found.add(each.get("kind").asText() + " "
                    + (path.isEmpty() ? each.get("blob").asText() : path));
        }
        return found;
    }

    @Test
    void eachKindOfDamageIsFoundWithItsPathsAndNothingElse() throws Exception {
        long content;
        try (CommandMount mount = CommandMount.start(directory)) {
            write(mount, "sound", "gone", "cut", "cut-one", "longer", "empty", "footer", "trailer", "bytes", "header");
            write(mount, "swapped-a", "swapped-b", "moved", "crc", "outside", "hole", "unnumbered", "uncounted");
            write(mount, "total", "scrambled", "unknown", "shared", "seen", "nocontent");
            for (String group : blobs.keySet()) {
                extents.put(group, extent(mount, file(group, 1)).extent());
            }
            assertThat(mount.run("clone", file("shared", 0), "/clone").exitCode())
                    .isZero();
            assertThat(mount.run("snapshot create", "/seen", "before").exitCode())
                    .isZero();
            mount.write(file("seen", 2), new byte[0]);
            assertThat(mount.run("clone", file("nocontent", 3), "/nocontent/clone")
                            .exitCode())
                    .isZero();
            content = ((Placement.Mapped) mount.bdt()
                            .locate(new FilePath("/nocontent/clone"))
                            .orElseThrow()
                            .placement())
                    .pieces()
                    .get(0)
                    .content()
                    .status()
                    .version()
                    .id();
            write(mount, "orphans");
            loseFiles(mount);
            JsonNode before = fsck(mount, ExitCodes.CORRUPT);
            // The other one's worker still counts as alive.
            assertThat(found(before)).containsExactly("lost /lost");
            expect("lost", "/lost");
            expect("unreachable", "/away");
        }
        damageStore();
        damageTable(content);
        try (CommandMount mount = CommandMount.start(directory)) {
            JsonNode result = fsck(mount, ExitCodes.CORRUPT);
            assertThat(found(result)).containsExactlyElementsOf(expected);
            assertThat(result.get("blobs").asLong()).isGreaterThanOrEqualTo(blobs.size() - 1);
            TreeSet<String> kinds = new TreeSet<>();
            result.get("damage").forEach(each -> kinds.add(each.get("kind").asText()));
            assertThat(kinds).hasSizeGreaterThanOrEqualTo(17);
        }
    }

    /** One file whose worker came back without it, one whose worker never came back. */
    private static void loseFiles(CommandMount mount) throws Exception {
        claim(mount, "w6", "/away");
        claim(mount, "w8", "/lost");
        mount.bdt().register(new WorkerRegistration("w8", "127.0.0.1:1")).reclaimed();
    }

    private static void claim(CommandMount mount, String worker, String path) throws Exception {
        WorkerSession session = mount.bdt().register(new WorkerRegistration(worker, "127.0.0.1:1"));
        FileAttributes attributes = new FileAttributes(10, 1, "", "", 0644);
        ClaimResult claim = session.claim(new Claim(session.newFileId(), new FilePath(path), attributes, true, false))
                .get();
        assertThat(claim).isInstanceOf(ClaimResult.Granted.class);
    }

    private void damageStore() throws IOException {
        Files.delete(object("gone"));
        expectAll("missing", "gone");
        cut("cut", extent("cut").blobEnd());
        expectAll("footer", "cut");
        for (int i = 2; i < FILES; i++) {
            expected.remove("footer " + file("cut", i));
            expect("short", file("cut", i));
        }
        expect("length", key("cut"));
        cut("cut-one", Files.size(object("cut-one")) - 1);
        expectAll("footer", "cut-one");
        expect("length", key("cut-one"));
        Files.write(object("longer"), Arrays.copyOf(Files.readAllBytes(object("longer")), 20_000));
        expectAll("footer", "longer");
        expect("length", key("longer"));
        cut("empty", 0);
        expectAll("short", "empty");
        expect("length", key("empty"));
        flip("footer", blob("footer").footerOffset());
        expectAll("footer", "footer");
        flip("trailer", Files.size(object("trailer")) - 1 - random.nextInt(40));
        expectAll("footer", "trailer");
        flip("bytes", extent("bytes").blobOffset() + random.nextInt(FILE_BYTES));
        expect("checksum", file("bytes", 1));
        flip("header", random.nextInt(16));
        expect("gaps", key("header"));
        swap("swapped-a", "swapped-b");
        Path wrong = Files.createDirectories(directory.resolve("store/blobs/zz"))
                .resolve(blob("moved").toString());
        Files.move(object("moved"), wrong);
        expectAll("missing", "moved");
        expect("foreign", BlobName.FOLDER + "zz/" + blob("moved"));
        BlobName orphans = blob("orphans");
        copy("orphans", new BlobName("w7", orphans.footerOffset(), 1));
        BlobName torn = new BlobName("w7", orphans.footerOffset(), 2);
        copy("orphans", torn);
        // The whole orphan has lost nothing, and is no damage.
        expect("orphan", BlobName.FOLDER + torn.key());
        Path tornPath = directory.resolve("store").resolve(BlobName.FOLDER + torn.key());
        Files.write(tornPath, Arrays.copyOf(Files.readAllBytes(tornPath), 100));
        Path foreign = directory.resolve("store").resolve(BlobName.FOLDER + "README");
        Files.writeString(foreign, "not a blob");
        expect("foreign", BlobName.FOLDER + "README");
        Files.delete(object("shared"));
        expectAll("missing", "shared");
        expect("missing", "/clone");
        Files.delete(object("seen"));
        expectAll("missing", "seen");
        expected.remove("missing " + file("seen", 2));
        expectAll("missing", "seen/.snapshot/before");
    }

    private void copy(String group, BlobName to) throws IOException {
        Path target = directory.resolve("store").resolve(BlobName.FOLDER + to.key());
        Files.createDirectories(target.getParent());
        Files.copy(object(group), target, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Each is a sound blob, and not the one that it should be. */
    private void swap(String one, String other) throws IOException {
        boolean alike = blob(one).footerOffset() == blob(other).footerOffset();
        assertThat(alike).as("files of one length").isTrue();
        byte[] bytes = Files.readAllBytes(object(one));
        boolean sameLength = bytes.length == Files.size(object(other));
        Files.write(object(one), Files.readAllBytes(object(other)));
        Files.write(object(other), bytes);
        for (String group : List.of(one, other)) {
            expectAll("disagreement", group);
            if (!sameLength) {
                expect("length", key(group));
            }
        }
    }

    private void damageTable(long content) throws IOException {
        try (TableSurgery table = TableSurgery.open(directory.resolve("bdt"))) {
            String crc = anyFile("crc");
            table.changeFile(crc, row -> row.crc ^= 1 << random.nextInt(32));
            expect("disagreement", crc);
            String outside = anyFile("outside");
            table.changeFile(outside, row -> row.extent.set(4, 1_000_000L));
            expect("outside", outside);
            String hole = anyFile("hole");
            table.changeFile(hole, row -> row.numbers.set(2, row.numbers.get(2) + 1));
            expect("hole", hole);
            table.deleteBlobNumber(blob("unnumbered").toString());
            expected.add("row ");
            table.changeBlob(blob("uncounted").toString(), 0, 1 + random.nextInt(100));
            expect("accounts", key("uncounted"));
            table.changeBlob(blob("total").toString(), 1 + random.nextInt(100), 0);
            expect("length", key("total"));
            String scrambled = anyFile("scrambled");
            table.scramble(scrambled);
            expect("row", scrambled);
            // Fsck searches all directories for files with damaged contents, and it cannot list this one.
            expect("row", "/scrambled");
            expect("accounts", key("scrambled"));
            table.deleteBlob(blob("unknown").toString());
            expectAll("unknown-blob", "unknown");
            expect("orphan", key("unknown"));
            table.deleteContent(content);
            expect("content", file("nocontent", 3));
            expect("content", "/nocontent/clone");
            expect("accounts", key("nocontent"));
        }
    }
}
