// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.FileStatus;
import io.packing.bdt.Operation;
import io.packing.bdt.Reclaim;
import io.packing.bdt.master.table.row.Keys;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A file with several names is one file in a clone of a directory, too, and another one than in the origin. */
class CloneLinksTest extends CloneLinksFixture {
    @Test
    void whatIsWrittenByOneNameIsSeenByTheOthersOfTheClone() throws IOException {
        file("/d/b", "/d/y");
        cloneTree("/d", "/c");
        assertThat(stat("/c/b").cloneId()).isPositive().isEqualTo(stat("/c/x/a").cloneId());
        assertThat(links("/c/b")).isEqualTo(3);
        truncate("/c/x/a", 5);
        chmod("/c/y", 0600);
        truncate("/c/b", 4);
        for (String name : List.of("x/a", "b", "y")) {
            assertThat(length("/c/" + name)).isEqualTo(4);
            assertThat(stat("/c/" + name).attributes().mode()).isEqualTo(0600);
            assertThat(links("/c/" + name)).isEqualTo(3);
            assertThat(stat("/c/" + name).isInherited()).isFalse();
            assertThat(length("/d/" + name)).isEqualTo(8);
            assertThat(stat("/d/" + name).attributes().mode()).isEqualTo(0644);
            assertThat(links("/d/" + name)).isEqualTo(3);
        }
        areOne("/c/x/a", "/c/b");
        areOne("/c/b", "/c/y");
        assertThat(table.list(new FilePath("/c"), "", 9).orElseThrow())
                .filteredOn(each -> !each.isDirectory())
                .extracting(FileStatus::version)
                .containsOnly(stat("/c/x/a").version());
        namesAreCounted();
    }

    @Test
    void aChangeOfTheOriginIsNotSeenInTheClone() throws IOException {
        file("/d/b");
        cloneTree("/d", "/c");
        truncate("/d/b", 3);
        delete("/d/x/a");
        assertThat(links("/d/b")).isEqualTo(1);
        assertThat(length("/c/b")).isEqualTo(8);
        areOne("/c/x/a", "/c/b");
        truncate("/c/x/a", 2);
        areOne("/c/x/a", "/c/b");
        assertThat(links("/c/b")).isEqualTo(2);
        assertThat(length("/d/b")).isEqualTo(3);
        namesAreCounted();
    }

    @Test
    void aNameThatGoesInTheCloneIsCountedThere() throws IOException {
        file("/d/b", "/d/y");
        cloneTree("/d", "/c");
        delete("/c/b");
        assertThat(links("/c/x/a")).isEqualTo(2);
        assertThat(links("/c/y")).isEqualTo(2);
        assertThat(links("/d/b")).isEqualTo(3);
        assertThat(table.stat(new FilePath("/c/b"))).isEmpty();
        delete("/c/y");
        assertThat(links("/c/x/a")).isEqualTo(1);
        delete("/c/x/a");
        assertThat(links("/d/x/a")).isEqualTo(3);
        namesAreCounted();
        delete("/d");
        delete("/c");
        upkeep();
        nothingIsLeft();
    }

    @Test
    void renamesInTheCloneTellItsNamesFromThoseOfTheOrigin() throws IOException {
        file("/d/b");
        cloneTree("/d", "/c");
        // Two names of one file: nothing happens.
        apply(new Operation.Rename(new FilePath("/c/b"), new FilePath("/c/x/a"), true));
        assertThat(stat("/c/b").isInherited()).isTrue();
        // The same id, and another file.
        apply(new Operation.Rename(new FilePath("/d/b"), new FilePath("/c/b"), true));
        assertThat(table.stat(new FilePath("/d/b"))).isEmpty();
        areOne("/c/b", "/d/x/a");
        assertThat(links("/d/x/a")).isEqualTo(2);
        assertThat(links("/c/x/a")).isEqualTo(1);
        truncate("/c/b", 1);
        assertThat(length("/d/x/a")).isEqualTo(1);
        assertThat(length("/c/x/a")).isEqualTo(8);
        namesAreCounted();
    }

    @Test
    void aNewFileInThePlaceOfANameLeavesTheOthers() throws IOException {
        file("/d/b", "/d/y");
        cloneTree("/d", "/c");
        claim("/c/b");
        assertThat(links("/c/y")).isEqualTo(2);
        areOne("/c/y", "/c/x/a");
        assertThat(links("/c/b")).isEqualTo(1);
        rename("/c/y", "/c/z");
        truncate("/c/z", 2);
        areOne("/c/z", "/c/x/a");
        namesAreCounted();
    }

    @Test
    void aLinkThatIsMadeInTheCloneIsAnotherNameThere() throws IOException {
        file("/d/b");
        cloneTree("/d", "/c");
        link("/c/b", "/c/n");
        assertThat(links("/c/x/a")).isEqualTo(3);
        assertThat(links("/d/x/a")).isEqualTo(2);
        truncate("/c/x/a", 7);
        areOne("/c/n", "/c/b");
        assertThat(length("/c/n")).isEqualTo(7);
        namesAreCounted();
    }

    @Test
    void aNameThatLeavesTheCloneStaysANameOfItsFile() throws IOException {
        file("/d/b");
        cloneTree("/d", "/c");
        cloneTree("/d", "/other");
        rename("/c/b", "/other/n");
        rename("/c/x", "/moved");
        truncate("/other/n", 3);
        areOne("/other/n", "/moved/a");
        assertThat(length("/other/b")).isEqualTo(8);
        areOne("/other/b", "/other/x/a");
        delete("/c");
        upkeep();
        areOne("/other/n", "/moved/a");
        namesAreCounted();
    }

    @Test
    void theFileOfACloneIsGoneWithTheClone() throws IOException {
        file("/d/b", "/out");
        cloneTree("/d", "/c");
        truncate("/c/b", 3);
        // The clone does not know that one of the three names is not in it.
        assertThat(links("/c/b")).isEqualTo(3);
        delete("/c/b");
        delete("/c/x/a");
        namesAreCounted();
        link("/out", "/d/n");
        delete("/c");
        upkeep();
        namesAreCounted();
        assertThat(links("/out")).isEqualTo(4);
        delete("/d");
        delete("/out");
        upkeep();
        nothingIsLeft();
    }

    @Test
    void aCrashKeepsThem() throws IOException {
        file("/d/b", "/d/y");
        cloneTree("/d", "/c");
        truncate("/c/b", 6);
        crashMaster();
        areOne("/c/b", "/c/x/a");
        delete("/c/y");
        crashMaster();
        assertThat(links("/c/x/a")).isEqualTo(2);
        areOne("/c/b", "/c/x/a");
        namesAreCounted();
    }

    @Test
    void aRebuildFromTheStoreHasThem() throws IOException {
        file("/d/b", "/d/y");
        push(true);
        for (boolean isBackedUp : new boolean[] {false, true}) {
            String clone = isBackedUp ? "/c" : "/b";
            cloneTree("/d", clone);
            truncate(clone + "/b", 6);
            delete(clone + "/y");
            if (isBackedUp) {
                table.checkpoint();
            } else {
                uploadJournal();
            }
            loseMaster();
            assertThat(length(clone + "/x/a")).isEqualTo(6);
            areOne(clone + "/b", clone + "/x/a");
            assertThat(links(clone + "/b")).isEqualTo(2);
            chmod(clone + "/x/a", 0600);
            uploadJournal();
            loseMaster();
            areOne(clone + "/b", clone + "/x/a");
            assertThat(links(clone + "/b")).isEqualTo(2);
            assertThat(links("/d/b")).isEqualTo(3);
            namesAreCounted();
        }
        delete("/b");
        delete("/c");
        delete("/d");
        upkeep();
        assertThat(liveBytes()).isZero();
        assertThat(rowsOf((byte) 'y')).isZero();
        assertThat(rowsOf(Keys.ENTRY)).isZero();
    }

    @Test
    void whatWasInABufferOnlyComesBackUnderTheNamesOfTheClone() throws IOException {
        recoverOnce();
        session = register("w");
        Reclaim file = granted(session, "/d/x/a");
        link("/d/x/a", "/d/b");
        cloneTree("/d", "/c");
        chmod("/c/b", 0600);
        uploadJournal();
        loseMaster();
        assertThat(stat("/c/x/a").state()).isIn(FileStatus.State.LOST, FileStatus.State.MAPPED);
        areOne("/c/b", "/c/x/a");
        session = register("w");
        assertThat(session.reclaim(List.of(file)).get(0)).isPresent();
        buffered.add(file);
        push(true);
        areOne("/c/b", "/c/x/a");
        areOne("/d/b", "/d/x/a");
        assertThat(stat("/c/x/a").attributes().mode()).isEqualTo(0600);
        assertThat(stat("/d/x/a").attributes().mode()).isEqualTo(0644);
        namesAreCounted();
    }

    @Test
    void aCloneWithoutLinksWritesNoRowForThem() throws IOException {
        claim("/d/x/a");
        cloneTree("/d", "/c");
        long rows = rowsOf(Keys.ENTRY);
        chmod("/c/x/a", 0600);
        // The directory and the file.
        assertThat(rowsOf(Keys.ENTRY)).isEqualTo((int) rows + 2);
        assertThat(rowsOf((byte) 'y')).isEqualTo(1);
    }
}
