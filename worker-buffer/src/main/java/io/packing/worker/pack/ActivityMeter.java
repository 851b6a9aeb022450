// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.pack;

import io.packing.bdt.CommittedFile;
import io.packing.bdt.PushedBlob;
import io.packing.bdt.StoreRequests;
import io.packing.bdt.WorkerActivity;
import io.packing.store.RequestMeter;
import io.packing.worker.buffer.FileBuffer;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntSupplier;

/** The counts of a worker's work for a mount, which the master receives. Thread-safe. */
public final class ActivityMeter {
    private final long sinceMillis;
    private final RequestMeter requests;
    private final FileBuffer buffer;
    private final IntSupplier statusPort;
    private final LongAdder pushedFiles = new LongAdder();
    private final LongAdder pushedBytes = new LongAdder();

    /**
     * @param requests to the mount's store since {@code sinceMillis}
     * @param statusPort of the process's status page; 0: none
     */
    public ActivityMeter(long sinceMillis, RequestMeter requests, FileBuffer buffer, IntSupplier statusPort) {
        this.statusPort = statusPort;
        this.sinceMillis = sinceMillis;
        this.requests = requests;
        this.buffer = buffer;
    }

    void pushed(List<PushedBlob> blobs, List<CommittedFile> files) {
        pushedFiles.add(files.size());
        pushedBytes.add(blobs.stream().mapToLong(PushedBlob::length).sum());
    }

    /** Returns the counts so far. */
    WorkerActivity now() {
        RequestMeter.Snapshot sent = requests.snapshot();
        return new WorkerActivity(
                sinceMillis,
                buffer.oldest().toMillis(),
                pushedFiles.sum(),
                pushedBytes.sum(),
                new StoreRequests(
                        sent.put(),
                        sent.list(),
                        sent.get(),
                        sent.head(),
                        sent.delete(),
                        sent.throttled(),
                        sent.failed()),
                statusPort.getAsInt());
    }
}
