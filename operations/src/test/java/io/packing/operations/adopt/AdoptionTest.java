// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.adopt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.Bdt;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.FileStatus;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Outcome;
import io.packing.bdt.Placement;
import io.packing.bdt.master.BdtMaster;
import io.packing.bdt.master.BdtMasterOptions;
import io.packing.blob.BlobExtent;
import io.packing.blob.Codec;
import io.packing.blob.FilePath;
import io.packing.operations.walk.TreeWalk;
import io.packing.seed.Seed;
import io.packing.store.Fault;
import io.packing.store.FaultyObjectStore;
import io.packing.store.InMemoryObjectStore;
import io.packing.store.PutCondition;
import io.packing.store.RequestKind;
import io.packing.store.StoreUnavailableException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Adoptions from a store in memory, which can have keys that no directory has. */
class AdoptionTest {
    private static final String BUCKET = "memory:///";
    private static final FilePath TARGET = new FilePath("/to");
    private static final String OWN = "mount/";

    @TempDir
    private Path home = Path.of("");

    private final FaultyObjectStore store = new FaultyObjectStore(
            new InMemoryObjectStore(BUCKET), new Random(Seed.value()), FaultyObjectStore.Rates.NONE);
    private final List<RefusedKey> refused = new ArrayList<>();
    private BdtMaster master;
    private Bdt bdt;

    @BeforeEach
    void start() throws IOException {
        String place = Files.createDirectories(home.resolve("store")).toUri().toString();
        master = BdtMaster.start(BdtMasterOptions.from(
                Map.of("bdt.data.dir", home.resolve("bdt").toString(), "bdt.port", "0", "bdt.stores", place)));
        bdt = master.open(Map.of("packing.store", place));
    }

    @AfterEach
    void stop() {
        master.close();
    }

    private void put(String key) throws IOException {
        store.put(key, ByteBuffer.wrap(key.getBytes(StandardCharsets.UTF_8)), PutCondition.NONE);
    }

    private Adoption.Counts adopt(String prefix) throws IOException {
        Path scratch = Files.createDirectories(home.resolve("scratch"));
        Adoption.Settings settings =
                new Adoption.Settings("u", 0640, scratch, () -> 1, List.of(OWN + "blobs/", "blobs/"));
        return Adoption.run(
                bdt, store, new AdoptionSource(BUCKET, prefix), TARGET, settings, refused::add, adopted -> {});
    }

    private List<String> files() throws IOException {
        List<String> files = new ArrayList<>();
        TreeWalk.walk(bdt, FilePath.ROOT, status -> {
            if (!status.isDirectory()) {
                files.add(status.path().value());
            }
        });
        return files;
    }

    private Placement placement(String path) throws IOException {
        return bdt.locate(new FilePath(path)).map(LocatedFile::placement).orElseThrow();
    }

    private List<BlobExtent> extents(String path) throws IOException {
        return ((Placement.Packed) placement(path)).extents();
    }

    @Test
    void everyKeyIsAFileOrRefusedByName() throws IOException {
        List<String> good = List.of("a", "a b", "c/d", "c/e-f", "c0");
        List<String> bad = List.of("a/b", "a/b/c", ".snapshot/x");
        for (String key : good) {
            put(key);
        }
        for (String key : bad) {
            put(key);
        }
        put("blobs/own");
        Adoption.Counts counts = adopt("");
        assertThat(counts.objects()).isEqualTo(good.size());
        assertThat(counts.refused()).isEqualTo(bad.size());
        assertThat(refused).extracting(RefusedKey::key).containsExactlyInAnyOrderElementsOf(bad);
        assertThat(files()).containsExactlyInAnyOrder("/to/a", "/to/a b", "/to/c/d", "/to/c/e-f", "/to/c0");
        FileStatus file = bdt.stat(new FilePath("/to/c/d")).orElseThrow();
        assertThat(file.attributes().length()).isEqualTo(3);
        assertThat(file.attributes().owner()).isEqualTo("u");
        assertThat(file.attributes().mode()).isEqualTo(0640);
        assertThat(extents("/to/c/d")).extracting(each -> each.extent().codec()).containsExactly(Codec.ADOPTED);
    }

    @Test
    void namesThatAreThereStayAndDirectoriesAreToldApart() throws IOException {
        DirectoryAttributes attributes = new DirectoryAttributes("u", "g", 0755);
        assertThat(bdt.mkdir(new FilePath("/to/d"), attributes, true)).isEqualTo(Outcome.DONE);
        put("in/d");
        put("in/f");
        assertThat(adopt("in/").objects()).isEqualTo(1);
        assertThat(refused).containsExactly(new RefusedKey("in/d", "a directory is at its path"));
        Adoption.Counts again = adopt("in/");
        assertThat(again.objects()).isZero();
        assertThat(again.there()).isEqualTo(1);
    }

    @Test
    void anAdoptionThatBrokeOffGoesOn() throws IOException {
        put("in/a");
        put("in/b");
        store.failNext(RequestKind.PUT, Fault.BEFORE, 1);
        assertThatThrownBy(() -> adopt("in/")).isInstanceOf(StoreUnavailableException.class);
        assertThat(placement("/to/a")).isInstanceOf(Placement.Buffered.class);
        put("in/c");
        Adoption.Counts counts = adopt("in/");
        assertThat(counts.objects()).isEqualTo(3);
        assertThat(counts.there()).isZero();
        assertThat(extents("/to/a")).hasSize(1);
        assertThat(refused).isEmpty();
    }

    @Test
    void aSourceWithoutObjectsAndATargetThatIsAFileAreRefused() throws IOException {
        put("in/a");
        assertThatThrownBy(() -> adopt("none/")).hasMessageContaining("no objects below s3://memory:////none/");
        Adoption.Counts unused = adopt("in/");
        Adoption.Settings settings = new Adoption.Settings("u", 0644, home, () -> 1, List.of());
        AdoptionSource source = new AdoptionSource(BUCKET, "in/");
        assertThatThrownBy(() ->
                        Adoption.run(bdt, store, source, TARGET.child("a"), settings, refused::add, adopted -> {}))
                .hasMessageContaining("a file is there");
    }
}
