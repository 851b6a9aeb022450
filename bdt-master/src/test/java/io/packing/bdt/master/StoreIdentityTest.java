// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.packing.bdt.Bdt;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.Outcome;
import io.packing.bdt.master.cloud.MasterObject;
import io.packing.bdt.master.cloud.StoreIdentity;
import io.packing.blob.FilePath;
import io.packing.store.PutCondition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A table knows its store and accepts no other one, in any order of openings. */
class StoreIdentityTest {
    private static final FilePath MINE = new FilePath("/mine");

    @TempDir
    private Path machines;

    private final TwoMasters world = new TwoMasters();
    private Path data = Path.of("");
    private BdtMaster master = unstarted();

    @BeforeEach
    void start() throws IOException {
        data = machines.resolve("one");
        restart();
        mkdir(TwoMasters.open(master, "good"), MINE);
    }

    @AfterEach
    void stop() {
        master.kill();
    }

    private BdtMaster unstarted() {
        try {
            return world.start(TwoMasters.config(Files.createTempDirectory("unstarted")), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void restart() throws IOException {
        master.kill();
        master = world.start(TwoMasters.config(data), 0);
    }

    private static void mkdir(Bdt table, FilePath path) throws IOException {
        assertThat(table.mkdir(path, new DirectoryAttributes("u", "g", 0755), false))
                .isEqualTo(Outcome.DONE);
    }

    /** Another store with a table of its own, and epochs that are newer. */
    private void fillOther(String endpoint, int masters) throws IOException {
        for (int i = 0; i < masters; i++) {
            BdtMaster other = world.start(TwoMasters.config(machines.resolve(endpoint + i)), 0);
            mkdir(TwoMasters.open(other, endpoint), new FilePath("/theirs" + i));
            other.close();
        }
    }

    private void assertRefused(String endpoint, String... words) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TwoMasters.open(master, endpoint))
                .satisfies(refused -> assertThat(refused.getMessage())
                        .contains("s3://bucket/p@http://good", "s3://bucket/p@http://" + endpoint)
                        .contains(words));
    }

    private void assertMineIsThere() throws IOException {
        assertThat(TwoMasters.open(master, "good").stat(MINE)).isPresent();
    }

    @Test
    void afterARestartAStoreWithANewerEpochElsewhereDoesNotReplaceTheTable() throws IOException {
        fillOther("evil", 3);
        List<String> before = keys("evil");
        restart();
        assertRefused("evil", "identity", "Nothing was changed", data.toString());
        assertThat(keys("evil")).isEqualTo(before);
        assertMineIsThere();
    }

    @Test
    void anEmptyStoreElsewhereDoesNotReplaceTheTableAndStaysEmpty() throws IOException {
        restart();
        assertRefused("empty", "a store without an identity");
        assertThat(keys("empty")).isEmpty();
        assertMineIsThere();
    }

    @Test
    void aCopyOfTheStoreFromBeforeItsLastEpochIsRefused() throws IOException {
        world.copy("good", "copy");
        world.at("copy").delete(List.of(MasterObject.epoch(1).key()));
        restart();
        assertRefused("copy", "older state");
        assertMineIsThere();
    }

    @Test
    void anOpenMountIsNotOpenedElsewhere() throws IOException {
        fillOther("evil", 2);
        assertRefused("evil", "is open at", "the identity ");
        assertRefused("empty", "is open at", "no identity");
        assertMineIsThere();
    }

    @Test
    void anotherNameOfTheSameServerIsTheSameStore() throws IOException {
        world.endpoints.put("alias", world.at("good"));
        assertThat(TwoMasters.open(master, "alias").stat(MINE)).isPresent();
        restart();
        assertThat(TwoMasters.open(master, "alias").stat(MINE)).isPresent();
        assertMineIsThere();
    }

    @Test
    void aFolderThatWasMovedAwayIsRecoveredFromTheStoreThatIsThereNow() throws IOException {
        fillOther("evil", 1);
        String id = master.openMount(TwoMasters.mount("good")).id();
        master.kill();
        Files.move(data.resolve(id), machines.resolve("away"));
        restart();
        assertThat(TwoMasters.open(master, "evil").stat(MINE)).isEmpty();
    }

    @Test
    void aDamagedIdentityIsSaidToBeSo() throws IOException {
        world.at("good").put(StoreIdentity.KEY, ByteBuffer.wrap(new byte[100]), PutCondition.NONE);
        restart();
        assertThatIOException()
                .isThrownBy(() -> TwoMasters.open(master, "good"))
                .withMessageContaining(StoreIdentity.KEY);
    }

    /** Makes folder and store as the version before left them. */
    private void makeOld() throws IOException {
        Bdt table = TwoMasters.open(master, "good");
        table.checkpoint();
        Path folder = data.resolve(master.openMount(TwoMasters.mount("good")).id());
        master.kill();
        Files.writeString(folder.resolve("ready"), "1\ns3://bucket/p\n");
        world.at("good").delete(List.of(StoreIdentity.KEY));
        world.at("good")
                .put(
                        MasterObject.epoch(1).key(),
                        ByteBuffer.wrap("a master took over\n".getBytes(StandardCharsets.UTF_8)),
                        PutCondition.NONE);
    }

    @Test
    void aTableAndAStoreOfTheVersionBeforeGetAnIdentity() throws IOException {
        makeOld();
        restart();
        assertMineIsThere();
        assertThat(keys("good")).contains(StoreIdentity.KEY);
        fillOther("evil", 1);
        restart();
        assertRefused("evil", "identity");
        assertMineIsThere();
    }

    @Test
    void aTableOfTheVersionBeforeIsNotTakenForThatOfAStoreWithoutItsObjects() throws IOException {
        makeOld();
        fillOther("evil", 1);
        fillOther("older", 1);
        world.at("older").delete(List.of(StoreIdentity.KEY));
        restart();
        for (String other : List.of("evil", "older", "empty")) {
            assertThatIllegalArgumentException()
                    .as(other)
                    .isThrownBy(() -> TwoMasters.open(master, other))
                    .withMessageContaining("s3://bucket/p@http://" + other)
                    .withMessageContaining("Nothing was changed");
        }
        assertMineIsThere();
    }

    private List<String> keys(String endpoint) {
        return world.at(endpoint).list("", "", 1_000).stream()
                .map(object -> object.key())
                .toList();
    }
}
