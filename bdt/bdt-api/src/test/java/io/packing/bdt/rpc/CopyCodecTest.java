// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.packing.bdt.CommittedFile;
import io.packing.bdt.CopyOrder;
import io.packing.bdt.CopyReport;
import io.packing.bdt.PushedBlob;
import io.packing.blob.BlobExtent;
import io.packing.blob.BlobName;
import io.packing.blob.Codec;
import io.packing.blob.Extent;
import io.packing.blob.FileVersion;
import io.packing.blob.LiveExtent;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class CopyCodecTest {
    private static final int MB = 1 << 20;
    private static final BlobName SPARSE = new BlobName("w1", 100 * MB, 7);
    private static final BlobName MADE = new BlobName("compacted", 5 * MB, 8);
    private static final Extent FIRST = new Extent(0, 4 * MB, 16, 3 * MB, Codec.ZSTD, 42);
    private static final Extent SECOND = new Extent(4 * MB, 2 * MB, 16 + 3 * MB, 2 * MB, Codec.NONE, 43);

    /** Returns an order of a file of which parts live, of an empty file, and of one that lives as a whole, in two blobs. */
    private static CopyOrder order() {
        LiveExtent cut =
                new LiveExtent(FIRST, List.of(new LiveExtent.Range(100, MB), new LiveExtent.Range(3 * MB, 4 * MB)));
        LiveExtent end = new LiveExtent(SECOND, List.of(new LiveExtent.Range(4 * MB, 4 * MB + 1)));
        return new CopyOrder(
                3,
                8,
                false,
                List.of(
                        new CopyOrder.Source(
                                SPARSE,
                                101 * MB,
                                List.of(
                                        new CopyOrder.CopiedFile(new FileVersion(5, 9), 1, List.of(cut, end)),
                                        new CopyOrder.CopiedFile(new FileVersion(6, 10), 0, List.of()))),
                        new CopyOrder.Source(
                                new BlobName("w2", 50 * MB, 9),
                                51 * MB,
                                List.of(new CopyOrder.CopiedFile(
                                        new FileVersion(7, 11), 2, List.of(new LiveExtent(FIRST)))))));
    }

    private static void isRefused(UnaryOperator<CopySource.Builder> change) {
        CopyOrderMessage message = CopyCodec.encode(order());
        CopySource changed = change.apply(message.getSources(0).toBuilder()).build();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CopyCodec.order(
                        message.toBuilder().setSources(0, changed).build()));
    }

    @Test
    void anOrderArrivesAsItWasSent() {
        CopyOrder order = order();
        assertThat(CopyCodec.order(CopyCodec.encode(order))).isEqualTo(order);
        CopyOrder known = order.mayPush().withoutSources();
        assertThat(CopyCodec.order(CopyCodec.encode(known))).isEqualTo(known);
    }

    @ParameterizedTest
    @EnumSource
    void aReportArrivesAsItWasSent(CopyReport.State state) {
        boolean hasBlob = state == CopyReport.State.BUILT || state == CopyReport.State.PUSHED;
        CopyReport report = new CopyReport(
                state == CopyReport.State.IDLE ? 0 : 3,
                state,
                hasBlob ? Optional.of(new PushedBlob(MADE, 6 * MB, 20)) : Optional.empty(),
                state == CopyReport.State.PUSHED
                        ? List.of(new CommittedFile(new FileVersion(5, 9), List.of(new BlobExtent(MADE, FIRST))))
                        : List.of(),
                state == CopyReport.State.FAILED ? "no room" : "");
        assertThat(CopyCodec.report(CopyCodec.encode(report))).isEqualTo(report);
    }

    @Test
    void columnsOfOtherLengthsAreRefused() {
        isRefused(source -> source.clearRanks());
        isRefused(source -> source.addRanges(1));
        isRefused(source -> source.addGaps(1));
        isRefused(source -> source.setRanges(0, 4));
        isRefused(source -> source.setRanges(0, -1));
    }

    @Test
    void rangesOutsideOfTheirExtentAreRefused() {
        isRefused(source -> source.setRangeLengths(0, 5 * MB));
        isRefused(source -> source.setGaps(1, -1));
        isRefused(source -> source.setRangeLengths(1, 0));
    }

    @Test
    void extentsOfAnotherBlobAreRefused() {
        isRefused(source -> source.setBlob(MADE.toString()));
    }
}
