package io.packing.fuse;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The pages that the kernel has of the files of a mount. A server can put bytes into it that nobody has read yet ({@code FUSE_NOTIFY_STORE}), so
 * that whoever reads them asks for nothing. Confined to one thread.
 *
 * <p>The kernel waits while somebody else reads one of these pages, until that read is answered: a thread that answers reads must not call it.
 */
public final class KernelCache {
    private static final int STORE = 4;
    /** The header of a message, and node, offset, length and padding. */
    private static final int HEADERS = Reply.HEADER + 24;

    private final FuseDevice device;
    private final ByteBuffer message;

    /** Where the bytes come from. */
    public interface Filling {
        /** Puts bytes that lie one behind the other into the buffer, at most as many as there is room for. */
        void fill(ByteBuffer room) throws IOException;
    }

    KernelCache(FuseDevice device, int mostBytes) {
        this.device = device;
        this.message = ByteBuffer.allocateDirect(HEADERS + mostBytes).order(ByteOrder.nativeOrder());
    }

    /**
     * Stores bytes of a file, unless the kernel has forgotten it meanwhile.
     *
     * @param offset in the file; a page that is not filled whole is of use only where the file ends in it
     * @param most bytes to be stored, all before the end of the file: the kernel takes the file to be longer otherwise
     * @return how many there were
     */
    public int store(long node, long offset, int most, Filling filling) throws IOException {
        message.clear();
        message.position(HEADERS);
        message.limit(Math.min(message.capacity(), HEADERS + most));
        filling.fill(message);
        int stored = message.position() - HEADERS;
        if (stored > 0) {
            message.flip();
            message.putInt(message.limit()).putInt(STORE).putLong(0);
            message.putLong(node).putLong(offset).putInt(stored).putInt(0);
            message.rewind();
            device.write(message);
        }
        return stored;
    }
}
