// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalInt;

/** Files of a table that get several names. */
abstract class LinksFixture extends LostFilesFixture {
    static final FilePath A = new FilePath("/d/a");
    static final FilePath B = new FilePath("/d/b");
    static final FilePath C = new FilePath("/e/c");
    static final FilePath D = new FilePath("/d");

    void apply(Operation... operations) throws IOException {
        assertThat(table.apply(OperationVector.of(operations))).isInstanceOf(VectorResult.Applied.class);
    }

    Outcome refusal(Operation operation) throws IOException {
        return ((VectorResult.Refused) table.apply(OperationVector.of(operation))).reason();
    }

    void link(FilePath file, FilePath name) throws IOException {
        apply(new Operation.Link(file, name));
    }

    FileStatus stat(FilePath path) throws IOException {
        return table.stat(path).orElseThrow();
    }

    int links(FilePath path) throws IOException {
        return stat(path).extras().links();
    }

    void chmod(FilePath path, int mode) throws IOException {
        assertThat(table.setAttributes(
                        path, new AttributeChange(Optional.empty(), Optional.empty(), OptionalInt.of(mode))))
                .isEqualTo(Outcome.DONE);
    }

    /** A file of 8 bytes at {@code /d/a}. */
    void file() throws IOException {
        claim("/d/a");
        while (stat(A).attributes().length() == 0) {
            claim("/d/a");
        }
        assertThat(table.mkdir(new FilePath("/e"), DIRECTORY, false)).isEqualTo(Outcome.DONE);
    }
}
