// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.ScanPage;
import io.packing.bdt.ScanPart;
import io.packing.bdt.ScannedName;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalInt;

/** Clones of a directory that has a file with several names. */
abstract class CloneLinksFixture extends LostFilesFixture {
    void apply(Operation... operations) throws IOException {
        assertThat(table.apply(OperationVector.of(operations))).isInstanceOf(VectorResult.Applied.class);
    }

    void cloneTree(String source, String destination) throws IOException {
        apply(new Operation.CloneDirectory(new FilePath(source), new FilePath(destination)));
    }

    void link(String file, String name) throws IOException {
        apply(new Operation.Link(new FilePath(file), new FilePath(name)));
    }

    void truncate(String path, long length) throws IOException {
        apply(new Operation.Truncate(new FilePath(path), length));
    }

    void chmod(String path, int mode) throws IOException {
        assertThat(table.setAttributes(
                        new FilePath(path),
                        new AttributeChange(Optional.empty(), Optional.empty(), OptionalInt.of(mode))))
                .isEqualTo(Outcome.DONE);
    }

    FileStatus stat(String path) throws IOException {
        return table.stat(new FilePath(path)).orElseThrow(() -> new AssertionError(path + " is not there"));
    }

    int links(String path) throws IOException {
        return stat(path).extras().links();
    }

    long length(String path) throws IOException {
        return stat(path).attributes().length();
    }

    /** A file of 8 bytes with names in the directory {@code /d} and below it. */
    void file(String... names) throws IOException {
        buffered.add(granted(session, "/d/x/a"));
        for (String name : names) {
            link("/d/x/a", name);
        }
    }

    void areOne(String path, String other) throws IOException {
        FileStatus one = stat(path);
        FileStatus two = stat(other);
        assertThat(two.version()).as("%s and %s", path, other).isEqualTo(one.version());
        assertThat(two.cloneId()).isEqualTo(one.cloneId());
        assertThat(two.attributes()).isEqualTo(one.attributes());
        assertThat(two.extras()).isEqualTo(one.extras());
    }

    void upkeep() throws IOException {
        for (int idle = 0; idle < 100; ) {
            idle = master.openMount(TestStores.MOUNT).upkeep().step() ? 0 : idle + 1;
        }
        awaitStatistics();
    }

    /** The counts of all files are those of their names. */
    void namesAreCounted() throws IOException {
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

    void nothingIsLeft() throws IOException {
        for (char kind : new char[] {'e', 'i', 's', 'u', 'v', 'l', 'k', 'g', 'x', 'y', 'c', 'r'}) {
            assertThat(rowsOf((byte) kind)).as("rows " + kind).isZero();
        }
    }
}
