// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.rpc;

import io.packing.bdt.CommittedFile;
import io.packing.bdt.CopyOrder;
import io.packing.bdt.CopyReport;
import io.packing.bdt.PushedBlob;
import io.packing.blob.BlobExtent;
import io.packing.blob.BlobName;
import io.packing.blob.LiveExtent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The translation of orders to copy, and of their reports, to columns and back. A wrong message makes it throw an
 * {@link IllegalArgumentException}.
 */
final class CopyCodec {
    private CopyCodec() {}

    static CopyOrderMessage encode(CopyOrder order) {
        return CopyOrderMessage.newBuilder()
                .setNumber(order.number())
                .setTimestampMicros(order.timestampMicros())
                .setPush(order.push())
                .addAllSources(order.sources().stream().map(CopyCodec::encode).toList())
                .build();
    }

    private static CopySource encode(CopyOrder.Source source) {
        CopySource.Builder message =
                CopySource.newBuilder().setBlob(source.blob().toString()).setLength(source.length());
        List<CommittedFile> files = new ArrayList<>(source.files().size());
        for (CopyOrder.CopiedFile file : source.files()) {
            List<BlobExtent> extents = new ArrayList<>(file.extents().size());
            for (LiveExtent live : file.extents()) {
                extents.add(new BlobExtent(source.blob(), live.extent()));
                message.addRanges(live.ranges().size());
                long end = live.extent().fileOffset();
                for (LiveExtent.Range range : live.ranges()) {
                    message.addGaps((int) (range.start() - end)).addRangeLengths(range.length());
                    end = range.end();
                }
            }
            files.add(new CommittedFile(file.version(), extents));
            message.addRanks(file.rank());
        }
        return message.setFiles(CommitBatchCodec.encode(List.of(), files)).build();
    }

    static CopyOrder order(CopyOrderMessage message) {
        return new CopyOrder(
                message.getNumber(),
                message.getTimestampMicros(),
                message.getPush(),
                message.getSourcesList().stream().map(CopyCodec::source).toList());
    }

    private static CopyOrder.Source source(CopySource message) {
        BlobName blob = BlobName.parse(message.getBlob());
        List<CommittedFile> files = CommitBatchCodec.files(message.getFiles());
        int extents = files.stream().mapToInt(file -> file.extents().size()).sum();
        if (message.getRanksCount() != files.size()
                || message.getRangesCount() != extents
                || message.getGapsCount() != message.getRangeLengthsCount()) {
            throw new IllegalArgumentException("the columns of an order to copy have different lengths");
        }
        List<CopyOrder.CopiedFile> copied = new ArrayList<>(files.size());
        int extent = 0;
        int at = 0;
        for (int i = 0; i < files.size(); i++) {
            List<LiveExtent> live = new ArrayList<>();
            for (BlobExtent each : files.get(i).extents()) {
                int count = message.getRanges(extent++);
                if (!each.blob().equals(blob) || count < 0 || count > message.getGapsCount() - at) {
                    throw new IllegalArgumentException("an extent of %s has %d ranges, in an order to copy of %s"
                            .formatted(each.blob(), Integer.toUnsignedLong(count), blob));
                }
                live.add(new LiveExtent(each.extent(), ranges(message, each, at, count)));
                at += count;
            }
            copied.add(new CopyOrder.CopiedFile(files.get(i).version(), message.getRanks(i), live));
        }
        return new CopyOrder.Source(blob, message.getLength(), copied);
    }

    private static List<LiveExtent.Range> ranges(CopySource message, BlobExtent extent, int from, int count) {
        List<LiveExtent.Range> ranges = new ArrayList<>(count);
        long end = extent.extent().fileOffset();
        for (int i = from; i < from + count; i++) {
            long start = end + Integer.toUnsignedLong(message.getGaps(i));
            end = start + Integer.toUnsignedLong(message.getRangeLengths(i));
            ranges.add(new LiveExtent.Range(start, end));
        }
        return ranges;
    }

    static CopyReportMessage encode(CopyReport report) {
        CopyReportMessage.Builder message = CopyReportMessage.newBuilder()
                .setNumber(report.number())
                .setState(CopyReportMessage.State.valueOf(report.state().name()))
                .setFailure(report.failure());
        report.blob()
                .ifPresent(blob -> message.setBlob(Pushed.newBuilder()
                        .setBlob(blob.name().toString())
                        .setLength(blob.length())
                        .setFraming(blob.framing())));
        if (!report.files().isEmpty()) {
            message.setFiles(CommitBatchCodec.encode(List.of(), report.files()));
        }
        return message.build();
    }

    static CopyReport report(CopyReportMessage message) {
        Pushed blob = message.getBlob();
        return new CopyReport(
                message.getNumber(),
                switch (message.getState()) {
                    case WORKING -> CopyReport.State.WORKING;
                    case BUILT -> CopyReport.State.BUILT;
                    case PUSHED -> CopyReport.State.PUSHED;
                    case FAILED -> CopyReport.State.FAILED;
                    default -> CopyReport.State.IDLE;
                },
                message.hasBlob()
                        ? Optional.of(
                                new PushedBlob(BlobName.parse(blob.getBlob()), blob.getLength(), blob.getFraming()))
                        : Optional.empty(),
                CommitBatchCodec.files(message.getFiles()),
                message.getFailure());
    }
}
