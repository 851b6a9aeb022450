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

/** A request for extents that lie one behind the other in a blob, into one buffer. Confined to one thread. */
final class BlobRun {
    private final List<BlobExtent> run;
    private final ByteBuffer into;
    private final List<ByteBuffer> extents = new ArrayList<>();
    private final List<ByteBuffer> rooms = new ArrayList<>();

    /**
     * A request for a run.
     *
     * @param run stored as they are, in the order of the blob
     * @param into has room for all of them
     */
    BlobRun(List<BlobExtent> run, ByteBuffer into) {
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

    /** Where the bytes begin in the blob. */
    long offset() {
        return run.get(0).extent().blobOffset();
    }

    /** Bytes of the request. */
    int length() {
        return (int) (run.get(run.size() - 1).extent().blobEnd() - offset());
    }

    /** Pages that have some of the bytes. */
    long pages() {
        return (offset() + length() - 1) / BlobPage.BYTES - offset() / BlobPage.BYTES + 1;
    }

    /** Where the bytes are to go: extents to where they are wanted, and what is between them to nobody. */
    List<ByteBuffer> rooms() {
        return rooms;
    }

    /** Moves the buffer behind the extents that came whole, and says how many bytes they have. */
    int check() {
        int sound = 0;
        for (int i = 0; i < run.size(); i++) {
            Extent extent = run.get(i).extent();
            try {
                ByteBuffer unused = ExtentCodec.decode(
                        blob().toString(), extent, extents.get(i).duplicate().flip());
            } catch (CorruptBlobException e) {
                // Whoever reads that one by itself asks for it again, and says so.
                break;
            }
            sound += extent.length();
        }
        into.position(into.position() + sound);
        return sound;
    }
}
