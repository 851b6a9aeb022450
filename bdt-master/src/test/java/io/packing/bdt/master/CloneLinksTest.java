package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.Reclaim;
import io.packing.bdt.ScanPage;
import io.packing.bdt.ScanPart;
import io.packing.bdt.ScannedName;
import io.packing.bdt.VectorResult;
import io.packing.bdt.master.table.Keys;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** A file with several names is one file in a clone of a directory, too, and another one than in the origin. */
class CloneLinksTest extends LostFilesFixture {
    private void apply(Operation... operations) throws IOException {
        assertThat(table.apply(OperationVector.of(operations))).isInstanceOf(VectorResult.Applied.class);
    }

    private void cloneTree(String source, String destination) throws IOException {
        apply(new Operation.CloneDirectory(new FilePath(source), new FilePath(destination)));
    }

    private void link(String file, String name) throws IOException {
        apply(new Operation.Link(new FilePath(file), new FilePath(name)));
    }

    private void truncate(String path, long length) throws IOException {
        apply(new Operation.Truncate(new FilePath(path), length));
    }

    private void chmod(String path, int mode) throws IOException {
        assertThat(table.setAttributes(
                        new FilePath(path),
                        new AttributeChange(Optional.empty(), Optional.empty(), OptionalInt.of(mode))))
                .isEqualTo(Outcome.DONE);
    }

    private FileStatus stat(String path) throws IOException {
        return table.stat(new FilePath(path)).orElseThrow(() -> new AssertionError(path + " is not there"));
    }

    private int links(String path) throws IOException {
        return stat(path).extras().links();
    }

    private long length(String path) throws IOException {
        return stat(path).attributes().length();
    }

    /** A file of 8 bytes with names in the directory {@code /d} and below it. */
    private void file(String... names) throws IOException {
        buffered.add(granted(session, "/d/x/a"));
        for (String name : names) {
            link("/d/x/a", name);
        }
    }

    private void areOne(String path, String other) throws IOException {
        FileStatus one = stat(path);
        FileStatus two = stat(other);
        assertThat(two.version()).as("%s and %s", path, other).isEqualTo(one.version());
        assertThat(two.cloneId()).isEqualTo(one.cloneId());
        assertThat(two.attributes()).isEqualTo(one.attributes());
        assertThat(two.extras()).isEqualTo(one.extras());
    }

    private void upkeep() throws IOException {
        for (int idle = 0; idle < 100; ) {
            idle = master.openMount(TestStores.MOUNT).upkeep().step() ? 0 : idle + 1;
        }
        awaitStatistics();
    }

    /** The counts of all files are those of their names. */
    private void namesAreCounted() throws IOException {
        ScanPage page = table.scan(ScanPart.FILES, "");
        assertThat(page.problems()).isEmpty();
        page.files().stream()
                .filter(file -> file.links() > 0)
                .forEach(file -> assertThat(page.names().stream()
                                .filter(name -> name.file() == file.version().id())
                                .mapToInt(ScannedName::count)
                                .sum())
                        .as("%s: %s", file, page.names())
                        .isEqualTo(file.links()));
    }

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

    private void nothingIsLeft() throws IOException {
        for (char kind : new char[] {'e', 'i', 's', 'u', 'v', 'l', 'k', 'g', 'x', 'y', 'c', 'r'}) {
            assertThat(rowsOf((byte) kind)).as("rows " + kind).isZero();
        }
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
