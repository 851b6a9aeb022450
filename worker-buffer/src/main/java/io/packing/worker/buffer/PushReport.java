// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.buffer;

import io.packing.bdt.CommittedFile;
import io.packing.bdt.PushedBlob;
import io.packing.blob.Extent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The report that the master gets after a push.
 *
 * @param files whose extents are all pushed
 */
public record PushReport(List<PushedBlob> blobs, List<CommittedFile> files) {
    public PushReport {
        blobs = List.copyOf(blobs);
        files = List.copyOf(files);
    }

    /**
     * Notes the places of the files' extents in a blob; needs the lock of the {@link BufferState}. It reports the blobs
     * of a large file with the last one: the master takes a reported blob's files as settled.
     */
    static PushReport of(PushedBlob blob, Map<BufferedFile, List<Extent>> placed) {
        List<CommittedFile> complete = new ArrayList<>();
        List<PushedBlob> blobs = new ArrayList<>();
        blobs.add(blob);
        placed.forEach((file, extents) -> {
            if (file.isGone()) {
                return;
            }
            extents.forEach(extent -> file.pushed(blob.name(), extent));
            if (file.isPushed()) {
                file.move(BufferedFile.State.PUSHED);
                blobs.addAll(0, file.heldBlobs());
                complete.add(new CommittedFile(file.version(), file.pushedExtents()));
            } else {
                blobs.remove(blob);
                file.hold(blob);
            }
        });
        return new PushReport(blobs, complete);
    }
}
