// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.rpc;

import io.packing.bdt.BdtStatistics;
import io.packing.bdt.Reach;

/** The translation of the totals of a mount to messages and back. */
public final class StatisticsCodec {
    private StatisticsCodec() {}

    public static StatisticsReply statistics(BdtStatistics s) {
        return StatisticsReply.newBuilder()
                .setFiles(s.files())
                .setDirectories(s.directories())
                .setBufferedFiles(s.bufferedFiles())
                .setPackedBytes(s.packedBytes())
                .setBlobs(s.blobs())
                .setBlobBytes(s.blobBytes())
                .setDeadBytes(s.deadBytes())
                .setLostFiles(s.lostFiles())
                .setLostBytes(s.lostBytes())
                .setMissingFiles(s.missingFiles())
                .setPosition(s.reach().position())
                .addAllGaps(s.reach().gaps().stream()
                        .map(gap -> StatisticsReply.Gap.newBuilder()
                                .setAfter(gap.after())
                                .setUntil(gap.until())
                                .build())
                        .toList())
                .build();
    }

    public static BdtStatistics statistics(StatisticsReply m) {
        return new BdtStatistics(
                m.getFiles(),
                m.getDirectories(),
                m.getBufferedFiles(),
                m.getPackedBytes(),
                m.getBlobs(),
                m.getBlobBytes(),
                m.getDeadBytes(),
                m.getLostFiles(),
                m.getLostBytes(),
                m.getMissingFiles(),
                m.getPosition() == 0
                        ? Reach.ANY
                        : new Reach(
                                m.getPosition(),
                                m.getGapsList().stream()
                                        .map(gap -> new Reach.Gap(gap.getAfter(), gap.getUntil()))
                                        .toList()));
    }
}
