// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Locale;

/**
 * The device that this process has as its standard input, for one thread that reads: a channel lets one at a time do
 * so. The texts of errors tell them apart, since Java gives no number; the process must run with {@code LC_ALL=C}.
 */
final class StandardInputDevice implements FuseDevice {
    /** The failures in a row after which a device is given up: the process ends, and its keeper starts another one. */
    private static final int MOST_FAILURES = 1000;

    private int failures;
    private final FileChannel in;
    private final FileChannel out;

    StandardInputDevice() {
        // Neither stream is ever closed: that would close the device for all threads.
        in = new FileInputStream(FileDescriptor.in).getChannel();
        out = new FileOutputStream(FileDescriptor.in).getChannel();
    }

    @Override
    public boolean read(ByteBuffer into) throws IOException {
        while (true) {
            into.clear();
            try {
                if (in.read(into) < 0) {
                    return false;
                }
                into.flip();
                return true;
            } catch (IOException e) {
                String why = why(e);
                if (why.contains("no such device") || why.contains("connection aborted")) {
                    return false;
                }
                // The request was taken back, or a signal came: there will be another one.
                boolean passes = why.contains("no such file")
                        || why.contains("interrupted system call")
                        || why.contains("temporarily unavailable");
                if (!passes) {
                    throw e;
                }
            }
        }
    }

    @Override
    public void write(ByteBuffer answer) throws IOException {
        try {
            int unused = out.write(answer);
        } catch (IOException e) {
            String why = why(e);
            // The caller was killed meanwhile, or the mount is gone, which the next read shows.
            if (!why.contains("no such file") && !why.contains("no such device")) {
                throw e;
            }
        }
    }

    @Override
    public boolean isUsable() {
        return in.isOpen() && out.isOpen() && failures++ < MOST_FAILURES;
    }

    private static String why(IOException e) {
        return String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
    }

    @Override
    public void close() {}
}
