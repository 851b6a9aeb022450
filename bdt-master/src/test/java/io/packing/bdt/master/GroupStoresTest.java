// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.packing.bdt.Bdt;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.MoveProgress;
import io.packing.bdt.Outcome;
import io.packing.blob.FilePath;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two groups whose masters may use different stores. */
@Timeout(120)
class GroupStoresTest extends TwoGroupsFixture {
    private static final DirectoryAttributes DIRECTORY = new DirectoryAttributes("u", "g", 0755);
    private static final FilePath D = new FilePath("/d");

    /** From now on the masters of a group may use another store only. */
    private void forbid(String group) throws IOException {
        groups.kill(group);
        BdtMaster unused = groups.start(group, "file://" + root.resolve("other"));
    }

    /** The table of mounts is at group a. */
    @ParameterizedTest
    @ValueSource(strings = {"a", "b"})
    void aMasterThatMayNotUseAStoreSendsClientsToTheGroupThatHasTheMount(String group) throws Exception {
        String owner = group.equals("a") ? "b" : "a";
        Bdt mount = groups.client(owner).open(groups.options());
        assertThat(mount.mkdir(D, DIRECTORY, false)).isEqualTo(Outcome.DONE);
        forbid(group);
        assertThat(groups.client(group).open(groups.options()).stat(D)).isPresent();
        assertThat(groups.owners()).containsExactly(owner);
    }

    @Test
    void aMountOfTheGroupThatMayNotUseItsStoreAnyMoreIsRefusedEverywhere() throws Exception {
        Bdt mount = groups.client("b").open(groups.options());
        assertThat(mount.mkdir(D, DIRECTORY, false)).isEqualTo(Outcome.DONE);
        forbid("b");
        for (String group : new String[] {"a", "b"}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> groups.client(group).open(groups.options()))
                    .withMessageContaining("bdt.stores");
        }
    }

    @Test
    void aMoveToAGroupThatMayNotUseTheStoreIsRefusedBeforeAnythingIsSent() throws Exception {
        Bdt mount = groups.client("a").open(groups.options());
        assertThat(mount.mkdir(D, DIRECTORY, false)).isEqualTo(Outcome.DONE);
        forbid("b");
        MoveProgress progress = groups.move("b");
        assertThat(progress.state()).isEqualTo(MoveProgress.State.UNDONE);
        assertThat(progress.problem()).contains("bdt.stores");
        assertThat(progress.rows()).isZero();
        assertThat(groups.table().get(0).isMoving()).isFalse();
        assertThat(mount.mkdir(D.child("e"), DIRECTORY, false)).isEqualTo(Outcome.DONE);
    }
}
