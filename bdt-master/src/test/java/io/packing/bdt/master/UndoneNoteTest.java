// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.blob.FilePath;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** A mount tells that a recovery may have undone changes of names, after a master that did not end in order. */
class UndoneNoteTest extends MountFixture {
    private Mount mount() throws IOException {
        return master.openMount(TestStores.MOUNT);
    }

    private void assertToldUntilAccepted() throws IOException {
        assertThat(mount().notes()).singleElement().asString().contains("renames", "may be undone");
        assertThat(mount().status().notes()).isEqualTo(mount().notes());
        assertThat(mount().problem()).isEmpty();
        assertThat(mount().acceptLosses()).singleElement().asString().contains("may be undone");
        assertThat(mount().notes()).isEmpty();
    }

    /** The disk is lost after a stop. */
    private void startWithoutDisk() throws IOException {
        stores.dropTables();
        GrpcMasterTest.deleteAll(data);
        master = BdtMaster.start(TestStores.config(data).takingOver(), stores);
        table = master.open(TestStores.MOUNT);
    }

    @Test
    void afterTheLossOfAKilledMastersDisk() throws IOException {
        claim("/a");
        push(true);
        loseMaster();
        assertToldUntilAccepted();
    }

    @Test
    void itIsToldAlsoByTheMastersAfterThat() throws IOException {
        claim("/a");
        push(true);
        loseMaster();
        master.close();
        master = BdtMaster.start(TestStores.config(data), stores);
        table = master.open(TestStores.MOUNT);
        assertToldUntilAccepted();
    }

    @Test
    void aMountThatIsNewOrWasStoppedInOrderHasNothingToTell() throws IOException {
        assertThat(mount().notes()).isEmpty();
        claim("/a");
        push(true);
        master.close();
        startWithoutDisk();
        assertThat(table.stat(new FilePath("/a"))).isPresent();
        assertThat(mount().notes()).isEmpty();
    }

    @Test
    void aStopUploadsNothingOfAMountThatNoClientHasOpenedSinceAKill() throws IOException {
        claim("/a");
        push(true);
        master.kill();
        master = BdtMaster.start(TestStores.config(data), stores);
        master.close();
        startWithoutDisk();
        assertToldUntilAccepted();
    }
}
