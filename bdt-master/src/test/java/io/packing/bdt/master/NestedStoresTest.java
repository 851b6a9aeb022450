// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.DeniedException;
import io.packing.bdt.master.rpc.OpenCall;
import io.packing.sorted.SortedStoreOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Stores that lie in each other. */
class NestedStoresTest {
    @TempDir
    Path root;

    private BdtMaster master;

    @BeforeEach
    void start() throws IOException {
        Files.createDirectories(root.resolve("stores/with 100%"));
        master = BdtMaster.start(new BdtMasterOptions(
                        root.resolve("data"), "127.0.0.1", 0, -1, SortedStoreOptions.Engine.LEVELDB, 1 << 20, 0)
                .allowing(AllowedStores.parse(root.resolve("stores").toUri().toString())));
    }

    @AfterEach
    void stop() {
        master.kill();
    }

    private Mount open(String store) throws IOException {
        return master.openMount(Map.of(
                "packing.store",
                Files.createDirectories(root.resolve(store)).toUri().toString()));
    }

    private Set<Path> files() throws IOException {
        try (Stream<Path> walk = Files.walk(root.resolve("stores"))) {
            return walk.filter(Files::isRegularFile).collect(Collectors.toCollection(TreeSet::new));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"blobs", "bdt", "anything", "deep/down/below", "blobs/ab"})
    void noMountIsMadeBelowAnotherOne(String below) throws IOException {
        Mount outer = open("stores/outer");
        Set<Path> before = files();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> open("stores/outer/" + below))
                .withMessageContaining("below the store of another mount")
                .withMessageContaining("stores/outer");
        assertThat(files()).isEqualTo(before);
        assertThat(master.mounts()).containsExactly(outer);
    }

    @ParameterizedTest
    @ValueSource(strings = {"stores/outer/blobs", "stores/outer/bdt", "stores/outer/some/where"})
    void noMountIsMadeAroundAnotherOne(String inner) throws IOException {
        Mount made = open(inner);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> open("stores/outer"))
                .withMessageContaining("another mount lies below it");
        assertThat(master.mounts()).containsExactly(made);
    }

    @Test
    void anOpenThatMayMakeNoMountWritesNothingAndDoesNotTellWhichDirectoriesAreThere() throws IOException {
        Path empty = Files.createDirectories(root.resolve("stores/empty"));
        Mount unused = open("stores/made");
        for (String store : List.of("stores/empty", "stores/missing", "stores/made/blobs", "stores/made/nothing")) {
            OpenCall call = new OpenCall(
                    Map.of("packing.store", root.resolve(store).toUri().toString()), false, false, false);
            assertThatThrownBy(() -> master.openMount(call))
                    .as(store)
                    .isInstanceOf(DeniedException.class)
                    .hasMessageContaining("there is no mount at");
        }
        assertThat(empty).isEmptyDirectory();
        assertThat(root.resolve("stores/made/blobs/.tmp")).doesNotExist();
    }

    @Test
    void storesBesideEachOtherAreNoMatter() throws IOException {
        assertThat(Set.of(
                        open("stores/a").id(),
                        open("stores/ab").id(),
                        open("stores/with 100%/a").id(),
                        open("stores/with 100%/b").id()))
                .hasSize(4);
    }

    @Test
    void aMountThatIsThereOpensWhereverItIs() throws IOException {
        Mount inner = open("stores/outer/inner");
        master.kill();
        Path identity = root.resolve("stores/outer/bdt/identity");
        Files.createDirectories(root.resolve("stores/outer/bdt"));
        Files.copy(root.resolve("stores/outer/inner/bdt/identity"), identity);
        start();
        assertThat(open("stores/outer/inner").id()).isEqualTo(inner.id());
    }
}
