// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.ByteRange;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.DeniedException;
import io.packing.bdt.Operation;
import io.packing.bdt.Outcome;
import io.packing.bdt.QuotaChange;
import io.packing.bdt.master.table.Waiting;
import io.packing.bdt.master.table.read.Permissions;
import io.packing.bdt.master.table.read.Principal;
import java.io.IOException;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The counts and refusals of quotas, for single names and bytes. */
@Timeout(120)
final class QuotasTest extends QuotaFixture {
    @Test
    void noMoreNamesAreMadeThanADirectoryMayHaveHoweverTheyAreMade() throws IOException {
        make("/d");
        make("/elsewhere");
        limit("/d", 3, ANY);
        counts("/d", 1, 0);
        written("/d/a", 5);
        make("/d/b");
        counts("/d", 3, 5);
        ClaimResult claim = write("/d/c", 1);
        refused(claim, Outcome.NAMES_QUOTA);
        assertThat(((ClaimResult.Refused) claim).message())
                .isEqualTo(
                        "The NameSpace quota (directories and files) of directory /d is exceeded: quota=3 file count=4");
        assertThat(refused(Outcome.NAMES_QUOTA, () -> table.mkdir(path("/d/c"), DIRECTORY, true)))
                .contains("/d is exceeded");
        refused(Outcome.NAMES_QUOTA, () -> table.mkdir(path("/d/b/x/y/z"), DIRECTORY, true));
        refused(Outcome.NAMES_QUOTA, file("/d/c"));
        refused(Outcome.NAMES_QUOTA, copy("/d/a", "/d/c"));
        refused(Outcome.NAMES_QUOTA, new Operation.Link(path("/d/a"), path("/d/c")));
        written("/elsewhere/f", 1);
        refused(Outcome.NAMES_QUOTA, () -> table.rename(path("/elsewhere/f"), path("/d/c")));
        refused(Outcome.NAMES_QUOTA, new Operation.CloneDirectory(path("/elsewhere"), path("/d/c")));
        assertThat(table.stat(path("/d/c"))).isEmpty();
        assertThat(table.stat(path("/d/b/x"))).isEmpty();
        assertThat(table.stat(path("/elsewhere/f"))).isPresent();
        counts("/d", 3, 5);
        written("/d/a", 7);
        counts("/d", 3, 7);
        assertThat(table.rename(path("/d/a"), path("/d/b/a"))).isEqualTo(Outcome.DONE);
        assertThat(table.delete(path("/d/b"), true)).isEqualTo(Outcome.DONE);
        counts("/d", 1, 0);
        written("/d/p/f", 1);
        refused(write("/d/q/f", 1), Outcome.NAMES_QUOTA);
        assertThat(table.stat(path("/d/q"))).isEmpty();
    }

    @Test
    void noMoreBytesAreWrittenThanADirectoryMayHave() throws IOException {
        make("/d");
        limit("/d", ANY, 100);
        written("/d/a", 60);
        ClaimResult claim = write("/d/b", 41);
        refused(claim, Outcome.BYTES_QUOTA);
        assertThat(((ClaimResult.Refused) claim).message())
                .isEqualTo("The DiskSpace quota of /d is exceeded: quota = 100 B but diskspace consumed = 101 B");
        written("/d/b", 40);
        refused(write("/d/a", 61), Outcome.BYTES_QUOTA);
        written("/d/a", 59);
        written("/d/empty", 0);
        refused(Outcome.BYTES_QUOTA, length("/d/a", 61));
        apply(length("/d/a", 60));
        refused(Outcome.BYTES_QUOTA, copy("/d/b", "/d/c"));
        apply(new Operation.DeleteRange(new ByteRange(path("/d/b"), 0, 10)));
        counts("/d", 4, 100);
        apply(length("/d/b", 1));
        counts("/d", 4, 61);
        written("/s", 10);
        refused(Outcome.BYTES_QUOTA, new Operation.CloneRange(new ByteRange(path("/s"), 0, 10), path("/d/a"), 100));
        apply(new Operation.CloneRange(new ByteRange(path("/s"), 0, 10), path("/d/a"), 0));
        counts("/d", 4, 61);
    }

    @Test
    void allQuotasOnTheWayUpHold() throws IOException {
        make("/a/b/c");
        limit("/a", 5, ANY);
        limit("/a/b", ANY, 10);
        limit("/a/b/c", 3, 100);
        written("/a/b/c/f", 6);
        refused(write("/a/b/c/g", 5), Outcome.BYTES_QUOTA);
        written("/a/b/c/g", 4);
        counts("/a/b/c", 3, 10);
        counts("/a/b", 4, 10);
        counts("/a", 5, 10);
        refused(write("/a/h", 0), Outcome.NAMES_QUOTA);
        assertThat(table.rename(path("/a/b/c/f"), path("/a/b/f"))).isEqualTo(Outcome.DONE);
        counts("/a/b/c", 2, 4);
        counts("/a/b", 4, 10);
        assertThat(table.rename(path("/a/b/c"), path("/c"))).isEqualTo(Outcome.DONE);
        counts("/c", 2, 4);
        counts("/a/b", 2, 6);
        counts("/a", 3, 6);
        assertThat(table.delete(path("/a"), true)).isEqualTo(Outcome.DONE);
        assertThat(table.quota(path("/a"))).isEmpty();
        removeDeletedTrees();
        sound();
        assertThat(rowsOf((byte) 'o')).isEqualTo(1);
    }

    @Test
    void aQuotaBelowWhatIsThereDeletesNothingAndRefusesOnlyWhatAddsToIt() throws IOException {
        written("/d/a", 50);
        written("/d/b", 50);
        limit("/d", 1, 10);
        counts("/d", 3, 100);
        refused(write("/d/c", 0), Outcome.NAMES_QUOTA);
        refused(write("/d/a", 51), Outcome.BYTES_QUOTA);
        written("/d/a", 50);
        written("/d/a", 20);
        assertThat(table.rename(path("/d/a"), path("/d/c"))).isEqualTo(Outcome.DONE);
        assertThat(table.setAttributes(path("/d/c"), AttributeChange.ofMtime(7)))
                .isEqualTo(Outcome.DONE);
        assertThat(table.delete(path("/d/b"), false)).isEqualTo(Outcome.DONE);
        counts("/d", 2, 20);
    }

    @Test
    void oneLimitChangesWithoutTheOtherAndBothGo() throws IOException {
        make("/d");
        limit("/d", 7, 70);
        assertThat(table.setQuota(path("/d"), new QuotaChange(OptionalLong.of(8), OptionalLong.empty())))
                .isEqualTo(Outcome.DONE);
        assertThat(table.quota(path("/d")).orElseThrow().mostNames()).hasValue(8);
        assertThat(table.quota(path("/d")).orElseThrow().mostBytes()).hasValue(70);
        limit("/d", ANY, ANY);
        assertThat(table.quota(path("/d"))).isEmpty();
        written("/d/a/b/c/d/e/f/g/h/i", 1_000);
        limit("/d", ANY, 0);
        refused(write("/d/x", 1), Outcome.BYTES_QUOTA);
        written("/d/x", 0);
    }

    @Test
    void onlyDirectoriesHaveQuotas() throws IOException {
        written("/f", 1);
        assertThat(table.setQuota(path("/f"), limits(1, 1))).isEqualTo(Outcome.NOT_A_DIRECTORY);
        assertThat(table.setQuota(path("/f/x"), limits(1, 1))).isEqualTo(Outcome.NOT_A_DIRECTORY);
        assertThat(table.setQuota(path("/none"), limits(1, 1))).isEqualTo(Outcome.NOT_FOUND);
        assertThat(table.quota(path("/f"))).isEmpty();
        assertThat(table.quota(path("/none"))).isEmpty();
        assertThat(table.setQuota(path("/.reserved"), limits(1, 1))).isNotEqualTo(Outcome.DONE);
        assertThatThrownBy(() -> limits(0, 1)).hasMessageContaining("the directory itself is one");
        assertThatThrownBy(() -> limits(-2, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> limits(1, Long.MIN_VALUE)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theRootHasAQuotaOfAllButWhatIsReserved() throws IOException {
        written("/a", 10);
        written("/.reserved/scratch/s", 100);
        limit("/", 3, 20);
        counts("/", 2, 10);
        written("/.reserved/scratch/t", 100);
        counts("/", 2, 10);
        written("/b", 10);
        refused(write("/c", 0), Outcome.NAMES_QUOTA);
        refused(Outcome.NAMES_QUOTA, move("/.reserved/scratch/t", "/c"));
        assertThat(table.delete(path("/a"), false)).isEqualTo(Outcome.DONE);
        refused(Outcome.BYTES_QUOTA, move("/.reserved/scratch/t", "/c"));
        counts("/", 2, 10);
    }

    @Test
    void moreBytesThanCanBeCountedAreTooMany() throws IOException {
        make("/d");
        apply(file("/d/a"), file("/d/b"));
        limit("/d", ANY, Long.MAX_VALUE);
        apply(length("/d/a", Long.MAX_VALUE));
        refused(Outcome.BYTES_QUOTA, length("/d/b", 1));
        refused(write("/d/c", 1), Outcome.BYTES_QUOTA);
        refused(Outcome.BYTES_QUOTA, copy("/d/a", "/d/c"));
        counts("/d", 3, Long.MAX_VALUE);
        make("/e");
        apply(file("/e/a"), length("/e/a", Long.MAX_VALUE), copy("/e/a", "/e/b"));
        assertThatThrownBy(() -> table.setQuota(path("/e"), limits(9, 9))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> table.setQuota(path("/"), limits(9, 9))).isInstanceOf(IllegalArgumentException.class);
        assertThat(table.delete(path("/d/a"), false)).isEqualTo(Outcome.DONE);
        counts("/d", 2, 0);
    }

    @Test
    void aVectorIsRefusedWholeAndSaysAtWhichOperation() throws IOException {
        make("/d");
        limit("/d", 3, ANY);
        assertThat(refused(Outcome.NAMES_QUOTA, file("/x"), file("/d/a"), file("/d/b"), file("/d/c")))
                .startsWith("operation 3: The NameSpace quota");
        assertThat(table.stat(path("/x"))).isEmpty();
        counts("/d", 1, 0);
        apply(file("/d/a"), file("/d/b"), new Operation.Delete(path("/d/a"), false), file("/d/c"));
        counts("/d", 3, 0);
    }

    @Test
    void aVersionThatWaitsToReplaceAFileCountsBesideIt() throws IOException {
        make("/d");
        limit("/d", ANY, 100);
        written("/d/a", 40);
        assertThat(write(session, "/d/a", 50, true)).isInstanceOf(ClaimResult.Granted.class);
        counts("/d", 2, 90);
        refused(write(session, "/d/a", 11, true), Outcome.BYTES_QUOTA);
        make("/e");
        limit("/e", ANY, 1_000);
        assertThat(table.rename(path("/d/a"), path("/e/a"))).isEqualTo(Outcome.DONE);
        counts("/d", 1, 0);
        counts("/e", 2, 90);
        assertThat(table.delete(path("/e/a"), false)).isEqualTo(Outcome.DONE);
        counts("/e", 1, 0);
    }

    @Test
    void eachNameOfAFileCountsItsBytes() throws IOException {
        make("/a");
        make("/b");
        limit("/a", ANY, 100);
        limit("/b", ANY, 100);
        written("/a/f", 30);
        apply(new Operation.Link(path("/a/f"), path("/b/f")), new Operation.Link(path("/a/f"), path("/a/g")));
        counts("/a", 3, 60);
        counts("/b", 2, 30);
        refused(Outcome.BYTES_QUOTA, length("/a/f", 71));
        apply(length("/a/f", 70));
        counts("/a", 3, 100);
        counts("/b", 2, 30);
        assertThat(table.delete(path("/a/f"), false)).isEqualTo(Outcome.DONE);
        counts("/a", 2, 30);
        assertThat(table.rename(path("/a/g"), path("/b/g"))).isEqualTo(Outcome.DONE);
        counts("/a", 1, 0);
        counts("/b", 3, 60);
        written("/b/g", 1);
        counts("/b", 3, 31);
    }

    @Test
    void whoeverIsAboutToMakeAFileLearnsThatNoNameIsLeft() throws IOException {
        make("/d");
        limit("/d", 2, ANY);
        assertThat(table.nearestToCreate(path("/d/f")).path()).isEqualTo(path("/d"));
        written("/d/f", 1);
        assertThat(table.nearestToCreate(path("/d/f")).path()).isEqualTo(path("/d/f"));
        refused(Outcome.NAMES_QUOTA, () -> table.nearestToCreate(path("/d/x/y")));
    }

    @Test
    void onlySuperusersSetQuotas() throws IOException {
        make("/d");
        Permissions alice = Permissions.of(new Principal("u", Set.of("g"), false));
        assertThatThrownBy(() -> Waiting.on(
                        master.openMount(TestStores.MOUNT).table().as(alice).setQuota(0, path("/d"), limits(1, 1))))
                .isInstanceOf(DeniedException.class)
                .hasMessageContaining("only superusers");
        assertThat(table.quota(path("/d"))).isEmpty();
        Permissions admin = Permissions.of(new Principal("root", Set.of(), true));
        assertThat(Waiting.on(
                        master.openMount(TestStores.MOUNT).table().as(admin).setQuota(0, path("/d"), limits(1, 1))))
                .isEqualTo(Outcome.DONE);
        assertThat(master.openMount(TestStores.MOUNT).table().as(alice).quota(path("/d")))
                .isPresent();
    }
}
