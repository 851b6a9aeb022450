// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Requests about the content of open files and directories. */
final class FileRequests {
    /** The flag of a write that takes set-user-ID and set-group-ID bits away. */
    private static final int DROP_PRIVILEGES = 1 << 2;

    private static final int DATA_ONLY = 1;

    private final FuseFileSystem files;
    private final int mostBytes;

    FileRequests(FuseFileSystem files, int mostBytes) {
        this.files = files;
        this.mostBytes = mostBytes;
    }

    /** Answers the request; false when it is another kind of request. */
    boolean answer(Opcode opcode, Request request) throws FuseException, IOException {
        switch (opcode) {
            case OPEN -> request.reply().opened(files.open(request.caller(), request.node(), openFlags(request)));
            case READ -> read(request);
            case WRITE -> write(request);
            case RELEASE -> release(request);
            case FSYNC -> sync(request, false);
            case OPENDIR ->
                request.reply().opened(files.openDirectory(request.caller(), request.node(), openFlags(request)));
            case READDIR -> list(request, false);
            case READDIRPLUS -> list(request, true);
            case RELEASEDIR -> files.releaseDirectory(request.caller(), request.node(), handle(request, 16));
            case FSYNCDIR -> sync(request, true);
            case FALLOCATE -> allocate(request);
            case LSEEK -> seek(request);
            case COPY_FILE_RANGE -> copy(request);
            case SYNCFS -> files.syncAll(request.caller());
            default -> {
                return false;
            }
        }
        return true;
    }

    /** Answers a FLUSH, perhaps after this has returned. */
    void flush(Request request, DeferredAnswer answer) throws FuseException, IOException {
        files.flush(request.caller(), request.node(), handle(request, 16), answer);
    }

    private static int openFlags(Request request) throws FuseException {
        int flags = request.in().int32();
        request.in().skip(4);
        return flags;
    }

    private static long handle(Request request, int behind) throws FuseException {
        long handle = request.in().int64();
        request.in().skip(behind);
        return handle;
    }

    private void read(Request request) throws FuseException, IOException {
        MessageReader in = request.in();
        long handle = in.int64();
        long offset = in.size();
        int size = length(in.int32());
        in.skip(20);
        ByteBuffer body = request.reply().body();
        ByteBuffer into = body.slice(body.position(), size);
        files.read(request.caller(), request.node(), handle, offset, into);
        body.position(body.position() + into.position());
    }

    private void write(Request request) throws FuseException, IOException {
        MessageReader in = request.in();
        long handle = in.int64();
        long offset = in.size();
        int size = length(in.int32());
        boolean drops = (in.int32() & DROP_PRIVILEGES) != 0;
        in.skip(16);
        if (offset > Long.MAX_VALUE - size) {
            throw new FuseException(Errno.EFBIG);
        }
        if (drops) {
            files.dropPrivileges(request.caller(), request.node());
        }
        files.write(request.caller(), request.node(), handle, offset, in.bytes(size));
        request.reply().int32(size).int32(0);
    }

    private int length(int size) throws FuseException {
        if (size < 0 || size > mostBytes) {
            throw new FuseException(Errno.EINVAL, "%d bytes at once".formatted(size));
        }
        return size;
    }

    private void release(Request request) throws FuseException, IOException {
        long handle = request.in().int64();
        int flags = request.in().int32();
        request.in().skip(12);
        files.release(request.caller(), request.node(), handle, flags);
    }

    private void sync(Request request, boolean directory) throws FuseException, IOException {
        long handle = request.in().int64();
        boolean dataOnly = (request.in().int32() & DATA_ONLY) != 0;
        request.in().skip(4);
        if (directory) {
            files.syncDirectory(request.caller(), request.node(), handle, dataOnly);
        } else {
            files.sync(request.caller(), request.node(), handle, dataOnly);
        }
    }

    private void list(Request request, boolean nodes) throws FuseException, IOException {
        MessageReader in = request.in();
        long handle = in.int64();
        long offset = in.int64();
        int size = length(in.int32());
        in.skip(20);
        files.list(
                request.caller(),
                request.node(),
                handle,
                offset,
                request.reply().page(nodes, size));
    }

    private void allocate(Request request) throws FuseException, IOException {
        MessageReader in = request.in();
        long handle = in.int64();
        long offset = in.size();
        long length = in.size();
        int mode = in.int32();
        in.skip(4);
        if (length == 0) {
            throw new FuseException(Errno.EINVAL);
        }
        if (offset > Long.MAX_VALUE - length) {
            throw new FuseException(Errno.EFBIG);
        }
        files.allocate(request.caller(), request.node(), handle, mode, offset, length);
    }

    private void seek(Request request) throws FuseException, IOException {
        MessageReader in = request.in();
        long handle = in.int64();
        long offset = in.int64();
        int whence = in.int32();
        in.skip(4);
        request.reply().int64(files.seek(request.caller(), request.node(), handle, offset, whence));
    }

    private void copy(Request request) throws FuseException, IOException {
        MessageReader in = request.in();
        long fromHandle = in.int64();
        long fromOffset = in.size();
        long to = in.int64();
        long toHandle = in.int64();
        long toOffset = in.size();
        long length = in.size();
        if (in.int64() != 0) {
            throw new FuseException(Errno.EINVAL);
        }
        if (fromOffset > Long.MAX_VALUE - length || toOffset > Long.MAX_VALUE - length) {
            throw new FuseException(Errno.EFBIG);
        }
        // The answer has 32 bits for the count.
        long most = Math.min(length, Integer.MAX_VALUE & ~0xfffL);
        long copied = files.copyRange(
                request.caller(),
                new CopiedRange(request.node(), fromHandle, fromOffset, to, toHandle, toOffset, most));
        request.reply().int32((int) copied).int32(0);
    }
}
