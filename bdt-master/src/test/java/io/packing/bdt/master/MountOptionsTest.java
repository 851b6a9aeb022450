// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.BdtOptions;
import io.packing.bdt.DeniedException;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.Durability;
import io.packing.bdt.Outcome;
import io.packing.bdt.master.log.BatchStore;
import io.packing.bdt.master.log.LocalBatchStore;
import io.packing.bdt.master.rpc.OpenCall;
import io.packing.bdt.master.table.row.SharedOptionsRow;
import io.packing.bdt.master.table.row.StoreRows;
import io.packing.blob.FilePath;
import io.packing.sorted.SortedStore;
import io.packing.sorted.WriteBatch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A mount's shared options: the calls that set them, and their lifetime. */
final class MountOptionsTest {
    private static final String GRACE = "packing.gc.grace";
    private static final String DURABILITY = "packing.durability";

    private final TestStores stores = new TestStores();

    @TempDir
    Path data;

    private BdtMaster master;

    @BeforeEach
    void start() throws IOException {
        master = BdtMaster.start(TestStores.config(data), stores);
    }

    @AfterEach
    void stop() {
        master.kill();
    }

    private void restart() throws IOException {
        master.kill();
        start();
    }

    /** The master dies with its disk; another one takes its place. */
    private void loseMaster() throws IOException {
        master.kill();
        stores.dropTables();
        GrpcMasterTest.deleteAll(data);
        master = BdtMaster.start(TestStores.config(data).takingOver(), stores);
    }

    private static Map<String, String> options(String... more) {
        Map<String, String> options = new HashMap<>(TestStores.MOUNT);
        for (int i = 0; i < more.length; i += 2) {
            options.put(more[i], more[i + 1]);
        }
        return options;
    }

    private Mount byOperator(String... more) throws IOException {
        return master.openMount(options(more));
    }

    private Mount byClient(String... more) throws IOException {
        return master.openMount(new OpenCall(options(more), false, false, false));
    }

    private static String grace(Mount mount) {
        return String.valueOf(mount.terms().all().get(GRACE));
    }

    @Test
    void aClientWithoutARoleMakesNoMount() throws IOException {
        assertThatThrownBy(this::byClient)
                .isInstanceOf(DeniedException.class)
                .hasMessageContaining("packing mounts create");
        assertThat(stores.objects.keys("")).as("nothing was written").isEmpty();
        Mount unused = byOperator();
        assertThat(byClient().id()).isEqualTo(unused.id());
    }

    @Test
    void aClientThatComesFirstAfterAStartChangesNothing() throws IOException {
        Mount made = byOperator(DURABILITY, "uploaded", GRACE, "2h");
        assertThat(grace(made)).isEqualTo("2h");
        restart();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> byClient(DURABILITY, "buffered", GRACE, "0s"))
                .withMessageContaining("packing.durability=uploaded, and buffered is asked for")
                .withMessageContaining("packing.gc.grace=2h, and 0s is asked for")
                .withMessageContaining("packing mounts set");
        Mount opened = byClient();
        assertThat(opened.keptTerms().working().get(BdtOptions.DURABILITY)).isEqualTo(Durability.UPLOADED);
        assertThat(grace(opened)).isEqualTo("2h");
    }

    @Test
    void aClientDoesNotEncryptAPlainMount() throws IOException {
        assertThat(byOperator().encryptionKey()).isEmpty();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> byClient("packing.encryption.key", "mine"))
                .withMessageContaining("packing.encryption.key=(none), and mine is asked for");
        assertThat(byClient().encryptionKey()).isEmpty();
    }

    @Test
    void anOpenerAfterTheFirstIsToldWhatTheMountHasAndRefusedWithAnythingElse() throws IOException {
        Mount first = byOperator(GRACE, "2h");
        assertThat(byOperator()).isSameAs(first);
        assertThat(byOperator(GRACE, "120m", DURABILITY, "uploaded")).isSameAs(first);
        assertThatIllegalArgumentException().isThrownBy(() -> byOperator(GRACE, "3h"));
        assertThatIllegalArgumentException().isThrownBy(() -> byOperator(DURABILITY, "buffered"));
        restart();
        assertThatIllegalArgumentException().isThrownBy(() -> byOperator(GRACE, "3h"));
        assertThat(grace(byOperator())).isEqualTo("2h");
    }

    @Test
    void aClientThatOpensAgainIsNotCompared() throws IOException {
        Mount made = byOperator(GRACE, "2h");
        assertThat(master.openMount(OpenCall.again(options(GRACE, "3h")))).isSameAs(made);
        restart();
        Mount opened = master.openMount(new OpenCall(options(GRACE, "3h"), false, true, false));
        assertThat(grace(opened)).isEqualTo("2h");
    }

    @Test
    void aClientDoesNotSayHowTheMasterAsksTheStore() {
        Map<String, String> named = options("packing.s3.connections", "1", "packing.s3.retry.timeout", "0s");
        assertThat(new OpenCall(named, false, false, false).options()).isEqualTo(TestStores.MOUNT);
        assertThat(OpenCall.of(named).options()).isEqualTo(named);
    }

    @Test
    void aMountIsCreatedOnce() throws IOException {
        OpenCall create = new OpenCall(options(GRACE, "2h"), true, false, true);
        assertThat(grace(master.openMount(create))).isEqualTo("2h");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> master.openMount(create))
                .withMessageContaining("is there already");
        loseMaster();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> master.openMount(create))
                .withMessageContaining("is there already");
    }

    @Test
    void aChangeHoldsAtOnceAndOverAStart() throws IOException {
        Mount made = byOperator(GRACE, "2h");
        Mount changed = master.change(made.id(), Map.of(DURABILITY, "uploaded", "packing.gc.interval", "7m"));
        assertThat(changed.keptTerms().areInForce()).isTrue();
        assertThat(changed.terms().set()).containsOnlyKeys(DURABILITY, GRACE, "packing.gc.interval");
        assertThat(made.latest()).isSameAs(changed);
        restart();
        assertThat(byClient().terms()).isEqualTo(changed.terms());
    }

    @Test
    void aChangeThatIsNoneIsRefusedAndNothingChanges() throws IOException {
        Mount made = byOperator(GRACE, "2h");
        assertThatIllegalArgumentException().isThrownBy(() -> master.change(made.id(), Map.of("packing.threads", "4")));
        assertThatIllegalArgumentException().isThrownBy(() -> master.change(made.id(), Map.of(GRACE, "soon")));
        assertThat(byOperator()).isSameAs(made);
    }

    @Test
    void aRecoveryFromABackupHasThem() throws IOException {
        Mount made = byOperator(GRACE, "2h");
        assertThat(made.table()
                        .mkdir(0, new FilePath("/d"), new DirectoryAttributes("", "", 0755), false)
                        .join())
                .isEqualTo(Outcome.DONE);
        made.checkpoint();
        loseMaster();
        assertThat(grace(byClient())).isEqualTo("2h");
    }

    @Test
    void aRecoveryFromTheJournalHasAChangeThatWasAnswered() throws IOException {
        Mount made = byOperator();
        assertThat(grace(master.change(made.id(), Map.of(GRACE, "3h")))).isEqualTo("3h");
        loseMaster();
        assertThat(grace(byClient())).isEqualTo("3h");
        assertThatIllegalArgumentException().isThrownBy(() -> byOperator(GRACE, "0s"));
    }

    @Test
    void aTableOfAnOlderVersionGetsThemFromItsFirstOperatorAndNotFromAClient() throws IOException {
        Mount made = byOperator();
        assertThat(made.keptTerms().isSaid()).isTrue();
        master.kill();
        stores.table().write(new WriteBatch().delete(SharedOptionsRow.KEY), SortedStore.Sync.NONE);
        GrpcMasterTest.deleteAll(data.resolve(made.id()).resolve("log"));
        start();
        assertThatIllegalArgumentException().isThrownBy(() -> byClient(GRACE, "0s"));
        Mount opened = byClient();
        assertThat(opened.keptTerms().isSaid()).isFalse();
        assertThat(grace(opened)).isEqualTo("1h");
        Mount adopted = byOperator(GRACE, "4h", DURABILITY, "uploaded");
        assertThat(adopted.keptTerms().working().get(BdtOptions.DURABILITY)).isEqualTo(Durability.UPLOADED);
        assertThat(opened.latest()).isSameAs(adopted);
        restart();
        assertThat(grace(byClient())).isEqualTo("4h");
    }

    @Test
    void theLogIsSyncedAsTheTableSaysWhoeverOpensIt() throws IOException {
        Mount made = byOperator(DURABILITY, "synced");
        master.kill();
        assertThat(reopened(made.id(), false)).isTrue();
        start();
        Mount changed = master.change(byOperator().id(), Map.of(DURABILITY, "buffered"));
        master.kill();
        assertThat(reopened(changed.id(), true)).isFalse();
        start();
    }

    /** Returns whether the master syncs the log of a mount that a client opens with these options. */
    private boolean reopened(String mount, boolean named) throws IOException {
        BdtMasterOptions config = TestStores.config(data);
        try (DataDirectory directory = DataDirectory.lock(data);
                BatchStore groups = new LocalTables(config, stores, directory).open(mount, named)) {
            assertThat(SharedOptionsRow.find(new StoreRows(groups.rows()))).isPresent();
            return ((LocalBatchStore) groups).isSynced();
        }
    }
}
