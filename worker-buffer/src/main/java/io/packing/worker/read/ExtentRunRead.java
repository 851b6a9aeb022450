// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.read;

import io.packing.blob.BlobExtent;
import io.packing.blob.BlobName;
import io.packing.blob.CorruptBlobException;
import io.packing.blob.Extent;
import io.packing.blob.ExtentCodec;
import io.packing.buffers.Slices;
import io.packing.worker.disk.BlobPage;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** A request for neighbouring extents of a blob, into one buffer. Confined to one thread. */
final class ExtentRunRead {
    private final List<BlobExtent> run;
    private final ByteBuffer into;
    private final List<ByteBuffer> extents = new ArrayList<>();
    private final List<ByteBuffer> rooms = new ArrayList<>();

    /**
     * Plans the request of a run.
     *
     * @param run extents stored as they are, in the order of the blob
     * @param into has room for all of them
     */
    ExtentRunRead(List<BlobExtent> run, ByteBuffer into) {
        this.run = run;
        this.into = into;
        long end = offset();
        int at = into.position();
        for (BlobExtent each : run) {
            Extent extent = each.extent();
            if (extent.blobOffset() > end) {
                rooms.add(ByteBuffer.allocate((int) (extent.blobOffset() - end)));
            }
            ByteBuffer room = Slices.of(into, at, extent.length());
            extents.add(room);
            rooms.add(room);
            at += extent.length();
            end = extent.blobEnd();
        }
    }

    BlobName blob() {
        return run.get(0).blob();
    }

    /** Returns the offset of the bytes in the blob. */
    long offset() {
        return run.get(0).extent().blobOffset();
    }

    /** Returns the bytes of the request. */
    int length() {
        return (int) (run.get(run.size() - 1).extent().blobEnd() - offset());
    }

    /** Returns the number of pages with some of the bytes. */
    long pages() {
        return (offset() + length() - 1) / BlobPage.BYTES - offset() / BlobPage.BYTES + 1;
    }

    /** Returns the buffers for the bytes: the caller's for extents, and others for the bytes between them. */
    List<ByteBuffer> rooms() {
        return rooms;
    }

    /** Moves the buffer behind the sound extents at its start; returns the number of their bytes. */
    int check() {
        int sound = 0;
        for (int i = 0; i < run.size(); i++) {
            Extent extent = run.get(i).extent();
            try {
                ByteBuffer unused = ExtentCodec.decode(
                        blob().toString(), extent, extents.get(i).duplicate().flip());
            } catch (CorruptBlobException e) {
                // The read of this extent alone fetches it again, and reports the damage.
                break;
            }
            sound += extent.length();
        }
        into.position(into.position() + sound);
        return sound;
    }
}
