// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.Operation;
import io.packing.bdt.Outcome;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The names of one file stay together in clones of clones, of parts of clones and of snapshots. */
class NestedCloneLinksTest extends CloneLinksFixture {
    @Test
    void aCloneOfACloneHasFilesOfItsOwn() throws IOException {
        file("/d/b", "/d/y");
        cloneTree("/d", "/c");
        truncate("/c/b", 6);
        cloneTree("/c", "/cc");
        truncate("/c/y", 5);
        areOne("/cc/b", "/cc/x/a");
        areOne("/cc/b", "/cc/y");
        assertThat(length("/cc/y")).isEqualTo(6);
        truncate("/cc/x/a", 4);
        for (String name : List.of("x/a", "b", "y")) {
            assertThat(length("/d/" + name)).as(name).isEqualTo(8);
            assertThat(length("/c/" + name)).as(name).isEqualTo(5);
            assertThat(length("/cc/" + name)).as(name).isEqualTo(4);
            assertThat(links("/cc/" + name)).as(name).isEqualTo(3);
        }
        namesAreCounted();
        delete("/c");
        delete("/d");
        upkeep();
        areOne("/cc/b", "/cc/x/a");
        assertThat(length("/cc/y")).isEqualTo(4);
        delete("/cc");
        upkeep();
        nothingIsLeft();
    }

    @Test
    void aCloneOfAPartOfACloneSeesWhatTheCloneHadThere() throws IOException {
        file("/d/b", "/d/x/z");
        cloneTree("/d", "/c");
        truncate("/c/b", 6);
        cloneTree("/c/x", "/part");
        truncate("/c/b", 5);
        areOne("/part/a", "/part/z");
        assertThat(length("/part/a")).isEqualTo(6);
        chmod("/part/a", 0600);
        areOne("/part/a", "/part/z");
        assertThat(length("/c/x/z")).isEqualTo(5);
        namesAreCounted();
    }

    @Test
    void aCloneInsideOfACloneIsSeenThroughBoth() throws IOException {
        file("/d/b");
        assertThat(table.mkdir(new FilePath("/out"), DIRECTORY, false)).isEqualTo(Outcome.DONE);
        cloneTree("/d", "/out/c");
        truncate("/out/c/b", 6);
        cloneTree("/out", "/e");
        truncate("/out/c/x/a", 5);
        areOne("/e/c/b", "/e/c/x/a");
        assertThat(length("/e/c/b")).isEqualTo(6);
        chmod("/e/c/x/a", 0600);
        areOne("/e/c/b", "/e/c/x/a");
        assertThat(length("/e/c/x/a")).isEqualTo(6);
        assertThat(length("/out/c/b")).isEqualTo(5);
        delete("/out");
        upkeep();
        areOne("/e/c/b", "/e/c/x/a");
        namesAreCounted();
    }

    @Test
    void aSnapshotOfACloneKeepsItsFiles() throws IOException {
        file("/d/b", "/d/y");
        cloneTree("/d", "/c");
        apply(new Operation.TakeSnapshot(new FilePath("/c"), "one"));
        truncate("/c/b", 6);
        apply(new Operation.TakeSnapshot(new FilePath("/c"), "two"));
        truncate("/c/y", 5);
        delete("/c/x/a");
        delete("/c/b");
        delete("/c/y");
        for (String name : List.of("x/a", "b", "y")) {
            assertThat(length("/c/.snapshot/one/" + name)).as(name).isEqualTo(8);
            assertThat(length("/c/.snapshot/two/" + name)).as(name).isEqualTo(6);
            areOne("/c/.snapshot/two/b", "/c/.snapshot/two/" + name);
            assertThat(links("/c/.snapshot/two/" + name)).isEqualTo(3);
        }
        cloneTree("/c/.snapshot/two", "/again");
        apply(
                new Operation.DropSnapshot(new FilePath("/c"), "one"),
                new Operation.DropSnapshot(new FilePath("/c"), "two"));
        upkeep();
        chmod("/again/y", 0600);
        areOne("/again/b", "/again/x/a");
        areOne("/again/b", "/again/y");
        assertThat(length("/again/b")).isEqualTo(6);
        namesAreCounted();
        delete("/again");
        delete("/c");
        delete("/d");
        upkeep();
        nothingIsLeft();
    }

    @Test
    void twoClonesOfOneSnapshotHaveFilesOfTheirOwn() throws IOException {
        file("/d/b");
        apply(new Operation.TakeSnapshot(new FilePath("/d"), "s"));
        cloneTree("/d/.snapshot/s", "/one");
        cloneTree("/d/.snapshot/s", "/two");
        truncate("/one/b", 6);
        truncate("/two/x/a", 5);
        areOne("/one/b", "/one/x/a");
        areOne("/two/b", "/two/x/a");
        assertThat(length("/one/x/a")).isEqualTo(6);
        assertThat(length("/two/b")).isEqualTo(5);
        apply(new Operation.Rename(new FilePath("/one/b"), new FilePath("/two/b"), true));
        assertThat(links("/two/x/a")).isEqualTo(1);
        areOne("/one/x/a", "/two/b");
        namesAreCounted();
    }

    @Test
    void aFileThatTwoClonesInATreeHaveIsTwoFilesInACloneOfThatTree() throws IOException {
        file("/d/b");
        assertThat(table.mkdir(new FilePath("/t"), DIRECTORY, false)).isEqualTo(Outcome.DONE);
        cloneTree("/d", "/t/one");
        cloneTree("/d", "/t/two");
        cloneTree("/t", "/u");
        assertThat(stat("/u/one/b").cloneId()).isNotEqualTo(stat("/u/two/b").cloneId());
        truncate("/u/one/b", 5);
        areOne("/u/one/b", "/u/one/x/a");
        assertThat(length("/u/one/x/a")).isEqualTo(5);
        areOne("/u/two/b", "/u/two/x/a");
        assertThat(length("/u/two/b")).isEqualTo(8);
        crashMaster();
        truncate("/u/two/x/a", 3);
        assertThat(length("/u/two/b")).isEqualTo(3);
        assertThat(length("/u/one/x/a")).isEqualTo(5);
        for (String name : List.of("/d", "/t/one", "/t/two")) {
            assertThat(length(name + "/b")).as(name).isEqualTo(8);
        }
        namesAreCounted();
        for (String tree : List.of("/u", "/t", "/d")) {
            delete(tree);
        }
        upkeep();
        nothingIsLeft();
    }
}
