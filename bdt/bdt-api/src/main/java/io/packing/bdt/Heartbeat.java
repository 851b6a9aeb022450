package io.packing.bdt;

import java.util.List;

/**
 * A worker's periodic report (§6.3).
 *
 * @param bufferedFiles closed and not yet committed
 * @param bufferedBytes the same in bytes
 * @param blobs pushed since the last report
 * @param files whose every extent is pushed, since the last report
 */
public record Heartbeat(long bufferedFiles, long bufferedBytes, List<PushedBlob> blobs, List<CommittedFile> files) {
    public Heartbeat {
        blobs = List.copyOf(blobs);
        files = List.copyOf(files);
    }
}
